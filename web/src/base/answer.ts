// The documents that the planner answers with (the `plan` verb), and the guard that reads them.
import { isObject, type JsonObject, parseJson } from './json.ts';

export interface Issue {
  readonly path: string; // JSON Pointer into the request
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export interface RecomputeChoice {
  readonly kind: 'none' | 'selective' | 'full';
  readonly layers?: number;
}

export interface Config {
  readonly tp: number;
  readonly sp: boolean;
  readonly cp: number;
  readonly ep: number;
  readonly etp: number;
  readonly dp: number;
  readonly pp: number;
  readonly vpp: number;
  readonly mbs: number;
  readonly micro_batches: number;
  readonly zero: number;
  readonly recompute: RecomputeChoice;
  readonly order: string;
  readonly schedule: string;
  readonly devices_used: number;
  readonly devices_idle: number;
}

export interface Summary {
  readonly config: Config;
  readonly step_s: number;
  readonly tokens_per_s: number;
  readonly mfu: number;
  readonly peak_bytes: number;
  readonly usable_bytes: number;
  readonly days?: number | null;
  readonly cost?: number | null;
}

export const memoryParts = [
  'weights_bytes',
  'gradients_bytes',
  'optimizer_bytes',
  'activations_bytes',
  'logits_bytes',
  'buffers_bytes',
  'reserve_bytes',
] as const;
export type MemoryPart = (typeof memoryParts)[number];
export type Memory = Readonly<Record<MemoryPart | 'total_bytes', number>>;

export const stepParts = [
  'forward_s',
  'backward_s',
  'recompute_s',
  'tensor_parallel_s',
  'context_parallel_s',
  'expert_parallel_s',
  'pipeline_s',
  'data_parallel_s',
  'data_parallel_sync_s',
  'tied_embedding_sync_s',
  'bubble_s',
  'host_s',
  'growth_s',
  'optimizer_s',
  'fixed_s',
] as const;
export type StepPart = (typeof stepParts)[number];

export interface Stage {
  readonly layers: JsonObject;
  readonly memory: Memory;
  readonly zero?: number;
  readonly recompute?: RecomputeChoice;
}

export interface Communication {
  readonly what: string;
  readonly level: string;
  readonly form: string;
  readonly bytes: number;
  readonly exposed_s: number;
  readonly hidden_s: number;
}

export interface SearchCounters {
  readonly proved_optimal: boolean;
  readonly gap: number;
  readonly candidates: number;
  readonly pruned: number;
}

export interface Plan {
  readonly request: JsonObject;
  readonly feasible: true;
  readonly config: Config;
  readonly step: {
    readonly total_s: number;
    readonly low_s: number;
    readonly high_s: number;
    readonly parts: Readonly<Record<StepPart, number>>;
  };
  readonly days?: number | null; // where a token target is set
  readonly cost?: number | null; // US dollars, where there is also a price
  readonly throughput: {
    readonly tokens_per_s: number;
    readonly tokens_per_s_per_device: number;
    readonly mfu: number;
    readonly hfu: number;
  };
  readonly memory: {
    readonly worst_stage: number;
    readonly peak_bytes: number;
    readonly usable_bytes: number;
  };
  readonly stages: readonly Stage[];
  readonly communication: readonly Communication[];
  readonly alternatives: readonly Summary[];
  readonly search: SearchCounters;
  readonly warnings: readonly string[];
}

export interface Change {
  readonly change: string;
  readonly pointer?: string; // of the request field to change
  readonly value?: number;
  readonly summary?: Summary;
}

export interface Infeasible {
  readonly request?: JsonObject;
  readonly feasible: false;
  readonly reason: {
    readonly stage: number;
    readonly part: string;
    readonly bytes_over: number;
    readonly text: string;
  };
  readonly nearest: readonly Change[];
  readonly search?: SearchCounters;
}

export type Answer =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'infeasible'; readonly infeasible: Infeasible }
  | { readonly kind: 'errors'; readonly errors: readonly Issue[] }
  | { readonly kind: 'unreadable'; readonly text: string };

// Reads an answer's text. The planner is trusted with the inside of its documents.
export function readAnswer(text: string): Answer {
  const answer = parseJson(text);
  if (!isObject(answer)) return { kind: 'unreadable', text };
  if (answer.ok === false && Array.isArray(answer.errors)) {
    return { kind: 'errors', errors: answer.errors as unknown as readonly Issue[] };
  }
  const value = answer.value;
  if (!isObject(value)) return { kind: 'unreadable', text };
  if (value.feasible === true) return { kind: 'plan', plan: value as unknown as Plan };
  if (value.feasible === false && isObject(value.reason)) {
    return { kind: 'infeasible', infeasible: value as unknown as Infeasible };
  }
  return { kind: 'unreadable', text };
}
