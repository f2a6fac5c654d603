// The WebAssembly module's surface: text in, text out, nothing throws.

export interface PlannerTask {
  step(pops: number): string; // progress, JSON
  result(): string; // answer, JSON
  delete(): void;
}

export interface Planner {
  loadPresets(bundle: string): string; // answer, JSON
  schema(): string; // JSON Schema of a request
  version(): string;
  readonly Task: new (verb: string, request: string) => PlannerTask;
}

export type CreatePlanner = (options: {
  readonly locateFile: (name: string) => string;
}) => Promise<Planner>;
