// Runs one task in slices of about 8 ms, so that the worker hears `stop` and `cancel` between them.
import { isObject, parseJson } from '../base/json.ts';
import type { Planner } from './facade.ts';
import type { Progress } from './protocol.ts';

const sliceMs = 8;
const progressEveryMs = 60;

// Pops for the next slice: towards 8 ms, at most doubling, never none.
export function nextPops(pops: number, elapsedMs: number): number {
  const aimed = elapsedMs > 0 ? (pops * sliceMs) / elapsedMs : pops * 2;
  return Math.max(1, Math.floor(Math.min(aimed, pops * 2, 1e6)));
}

export interface TaskControl {
  readonly wanted: () => 'run' | 'stop' | 'cancel';
  readonly breathe: () => Promise<void>; // lets messages in
  readonly now: () => number; // milliseconds
  readonly report: (progress: Progress) => void;
}

function readProgress(text: string): Progress {
  const progress = parseJson(text);
  if (!isObject(progress)) throw new Error(`progress is not an object: ${text.slice(0, 80)}`);
  return progress as unknown as Progress;
}

// The answer's text, or undefined when cancelled. Throws what the module throws (a trap).
export async function runTask(
  planner: Planner,
  verb: string,
  request: string,
  control: TaskControl,
): Promise<string | undefined> {
  if (control.wanted() === 'cancel') return undefined;
  const task = new planner.Task(verb, request);
  try {
    let pops = 16;
    let reported = control.now();
    while (control.wanted() === 'run') {
      const start = control.now();
      const progress = readProgress(task.step(pops));
      const end = control.now();
      if (progress.done) break;
      if (end - reported >= progressEveryMs) {
        reported = end;
        control.report(progress);
      }
      pops = nextPops(pops, end - start);
      await control.breathe();
    }
    return control.wanted() === 'cancel' ? undefined : task.result();
  } finally {
    task.delete();
  }
}
