// The WebAssembly module: text in, text out. No function throws; faults are answers.

/** A verb of the command line (`plan`, `evaluate`, `params`, ...), run in slices. */
export interface Task {
  /**
   * Works for at most `pops` node expansions. Returns
   * `{"done", "best", "bound_s", "gap", "pops"}` as JSON; `best` is null without a plan so far.
   */
  step(pops: number): string;
  /**
   * `{"ok": true, "value"}` or `{"ok": false, "errors": [{"path", "code", "message", "hint"?}]}` as
   * JSON: complete once `step` said done, before that the best so far.
   */
  result(): string;
  /** Frees the task's memory. */
  delete(): void;
}

export interface Nestplan {
  /** Takes the bundle of presets that requests may name. Returns an answer. */
  loadPresets(bundle: string): string;
  /** The JSON Schema of a request. */
  schema(): string;
  version(): string;
  readonly Task: new (verb: string, input: string) => Task;
}

export interface Options {
  /** Where nestplan.wasm is. */
  readonly locateFile?: (name: string) => string;
  /** Its bytes, instead. */
  readonly wasmBinary?: ArrayBuffer | Uint8Array;
}

declare function create(options?: Options): Promise<Nestplan>;
export default create;
