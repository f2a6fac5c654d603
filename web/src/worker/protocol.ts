// What page and worker say to each other. Requests and answers stay text: JSON made by the core.
import type { JsonObject } from '../base/json.ts';

export interface Progress {
  readonly done: boolean;
  readonly best: number | null; // step of the best plan so far, seconds
  readonly bound_s: number;
  readonly gap: number; // (best - bound) / best
  readonly pops: number;
}

export interface Preset {
  readonly name: string;
  readonly description: string;
  readonly value: JsonObject;
}

export type PresetKind = 'models' | 'clusters' | 'stacks' | 'accelerators';

// What the page needs to draw its controls.
export interface Catalogue {
  readonly version: string;
  readonly schema: JsonObject;
  readonly presets: Readonly<Record<PresetKind, Readonly<Record<string, Preset>>>>;
}

export type ToWorker =
  | { readonly kind: 'run'; readonly id: number; readonly verb: string; readonly request: string }
  | { readonly kind: 'stop'; readonly id: number } // answer with the best so far
  | { readonly kind: 'cancel'; readonly id: number }; // no answer wanted

export type FromWorker =
  | { readonly kind: 'ready'; readonly catalogue: Catalogue }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'answer'; readonly id: number; readonly text: string }
  | { readonly kind: 'cancelled'; readonly id: number }
  | { readonly kind: 'failed'; readonly message: string }; // the module could not be loaded
