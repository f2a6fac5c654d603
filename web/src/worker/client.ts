// The page's side of the worker. One task runs at a time and the newest wins: starting another, or
// aborting, cancels the one before. A worker that dies, or does not let go in time, is replaced.
import type { Catalogue, FromWorker, Progress, ToWorker } from './protocol.ts';

export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

// The worker died under a task; a new one is already starting.
export class PlannerCrash extends Error {
  override readonly name = 'PlannerCrash';
}

interface Running {
  readonly id: number;
  readonly verb: string;
  readonly request: string;
  readonly onProgress: (progress: Progress) => void;
  readonly resolve: (text: string) => void;
  readonly reject: (reason: unknown) => void;
}

export interface ClientEvents {
  readonly onReady: (catalogue: Catalogue) => void;
  readonly onFailed: (message: string) => void; // the planner could not be loaded
}

const letGoMs = 1000;

export function startWorker(): WorkerLike {
  return new Worker(new URL('./planner_worker.ts', import.meta.url), { type: 'module' });
}

export class PlannerClient {
  private worker: WorkerLike;
  private running: Running | undefined;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private unanswered = new Set<number>(); // cancelled, not yet acknowledged
  private lastId = 0;
  private ready = false;
  private readonly events: ClientEvents;
  private readonly create: () => WorkerLike;

  constructor(events: ClientEvents, create: () => WorkerLike = startWorker) {
    this.events = events;
    this.create = create;
    this.worker = this.open();
  }

  // The answer's text. Rejects with an AbortError when aborted or overtaken, or a PlannerCrash.
  run(
    verb: string,
    request: string,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<string> {
    this.cancel();
    if (signal.aborted) return Promise.reject(abortError());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.running = { id, verb, request, onProgress, resolve, reject };
      signal.addEventListener('abort', () => this.running?.id === id && this.cancel());
      this.worker.postMessage({ kind: 'run', id, verb, request });
    });
  }

  // Asks the running task for its best so far; its promise then resolves.
  stop(): void {
    if (this.running) this.worker.postMessage({ kind: 'stop', id: this.running.id });
  }

  // Replaces the worker, for example after it could not load.
  restart(): void {
    this.replace();
  }

  private open(): WorkerLike {
    const worker = this.create();
    this.ready = false;
    worker.onmessage = ({ data }) => worker === this.worker && this.receive(data);
    const died = (message: string) => worker === this.worker && this.crashed(message);
    worker.onerror = (event) => {
      event.preventDefault();
      died(event.message || 'it could not start');
    };
    worker.onmessageerror = () => died('a message could not be read');
    return worker;
  }

  private receive(message: FromWorker): void {
    const running = this.running;
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        this.events.onReady(message.catalogue);
        return;
      case 'failed':
        this.crashed(message.message);
        return;
      case 'progress':
        if (running?.id === message.id) running.onProgress(message.progress);
        return;
      case 'cancelled':
      case 'answer':
        this.letGo(message.id);
        if (running?.id !== message.id || message.kind === 'cancelled') return;
        this.running = undefined;
        running.resolve(message.text);
        return;
      default:
        message satisfies never;
    }
  }

  private cancel(): void {
    const running = this.running;
    if (!running) return;
    this.running = undefined;
    this.unanswered.add(running.id);
    this.worker.postMessage({ kind: 'cancel', id: running.id });
    if (this.ready) this.patience ??= setTimeout(() => this.replace(), letGoMs);
    running.reject(abortError());
  }

  private letGo(id: number): void {
    this.unanswered.delete(id);
    if (this.unanswered.size > 0) return;
    clearTimeout(this.patience);
    this.patience = undefined;
  }

  // A new worker, which takes over what is still wanted.
  private replace(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
    this.unanswered.clear();
    this.worker.terminate();
    this.worker = this.open();
    if (!this.running) return;
    const { id, verb, request } = this.running;
    this.worker.postMessage({ kind: 'run', id, verb, request });
  }

  private crashed(message: string): void {
    const running = this.running;
    this.running = undefined;
    if (!this.ready) {
      this.events.onFailed(message);
      running?.reject(abortError());
      return;
    }
    this.replace();
    running?.reject(new PlannerCrash(message));
  }
}

function abortError(): DOMException {
  return new DOMException('a newer request took its place', 'AbortError');
}
