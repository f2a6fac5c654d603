// All the page knows, and every way in which it changes.
import type { Answer, Issue } from '../base/answer.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Catalogue, Progress } from '../worker/protocol.ts';
import type { HashFault } from './hash.ts';

export type Theme = 'auto' | 'light' | 'dark';
export type Result = Extract<Answer, { kind: 'plan' } | { kind: 'infeasible' }>;

export type Run =
  | { readonly kind: 'loading' } // the planner is not there yet
  | { readonly kind: 'idle' }
  | { readonly kind: 'planning'; readonly slow: boolean; readonly progress: Progress | undefined }
  | { readonly kind: 'failed'; readonly message: string };

export type Notice =
  | { readonly kind: 'link'; readonly fault: HashFault }
  | { readonly kind: 'unknown-keys' } // lists state.unknown
  | { readonly kind: 'crash'; readonly message: string; readonly again: boolean }
  | { readonly kind: 'unreadable' } // an answer that is not one
  | { readonly kind: 'copied' }
  | { readonly kind: 'not-copied'; readonly text: string };

export interface State {
  readonly request: JsonObject; // as asked: presets and defaults are left to the core
  readonly unknown: readonly string[]; // pointers into `request` that are kept but not sent
  readonly drafts: Readonly<Record<string, string>>; // fields being typed, by pointer
  readonly errors: readonly Issue[]; // of the newest request
  readonly result: Result | undefined; // of the last request that had one
  readonly resultOf: JsonObject | undefined; // that request
  readonly catalogue: Catalogue | undefined;
  readonly run: Run;
  readonly notices: readonly Notice[];
  readonly theme: Theme;
  readonly editing: boolean; // phone: the request is unfolded
}

export type Action =
  // Edits of the request
  | { readonly kind: 'set'; readonly path: string; readonly value: Json }
  | { readonly kind: 'clear'; readonly path: string }
  | { readonly kind: 'type'; readonly path: string; readonly text: string }
  | { readonly kind: 'commit'; readonly path: string } // typing ended
  | { readonly kind: 'type-json'; readonly text: string } // the whole request; path ""
  | { readonly kind: 'drop-unknown' }
  | { readonly kind: 'open'; readonly request: JsonObject; readonly fault: HashFault | undefined }
  // The planner
  | { readonly kind: 'ready'; readonly catalogue: Catalogue }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'retry' }
  | { readonly kind: 'started' }
  | { readonly kind: 'slow' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'answered'; readonly answer: Answer; readonly request: JsonObject }
  | { readonly kind: 'crashed'; readonly message: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'again' } // plan the same request once more
  // The page
  | { readonly kind: 'copy'; readonly what: 'link' | 'request' }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'dismiss'; readonly notice: Notice }
  | { readonly kind: 'theme'; readonly theme: Theme }
  | { readonly kind: 'edit'; readonly open: boolean };

export type Dispatch = (action: Action) => void;

export const requestFormat = 'nestplan.request/1';

export const firstRequest: JsonObject = {
  format: requestFormat,
  model: { preset: 'llama-3-70b' },
  cluster: { preset: 'h100-spine-leaf', devices: 1024 },
  training: { tokens: 15e12 },
};

export function initialState(theme: Theme): State {
  return {
    request: firstRequest,
    unknown: [],
    drafts: {},
    errors: [],
    result: undefined,
    resultOf: undefined,
    catalogue: undefined,
    run: { kind: 'loading' },
    notices: [],
    theme,
    editing: false,
  };
}
