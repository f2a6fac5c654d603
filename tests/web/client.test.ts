import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PlannerClient, PlannerCrash, type WorkerLike } from '../../web/src/worker/client.ts';
import type { Catalogue, FromWorker, Progress, ToWorker } from '../../web/src/worker/protocol.ts';

class FakeWorker implements WorkerLike {
  readonly sent: ToWorker[] = [];
  ended = false;
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  postMessage(message: ToWorker): void {
    this.sent.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: FromWorker): void {
    this.onmessage?.({ data } as MessageEvent<FromWorker>);
  }
  die(message: string): void {
    this.onerror?.({ message, preventDefault: () => undefined } as ErrorEvent);
  }
}

const catalogue = { version: '1', schema: {}, presets: {} } as unknown as Catalogue;
const progress: Progress = { done: false, best: 9, bound_s: 8, gap: 0.1, pops: 5 };
const never = () => new AbortController().signal;

function setUp() {
  const workers: FakeWorker[] = [];
  const onReady = vi.fn();
  const onFailed = vi.fn();
  const client = new PlannerClient({ onReady, onFailed }, () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  });
  const worker = (at: number): FakeWorker => {
    const found = workers[at];
    if (!found) throw new Error(`no worker ${at}`);
    return found;
  };
  const run = (request: string, signal = never()) =>
    client.run('plan', request, signal, () => undefined);
  return { client, workers, worker, onReady, onFailed, run };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the planner client', () => {
  test('passes progress on, then the answer', async () => {
    const { client, worker } = setUp();
    const seen: Progress[] = [];
    const answer = client.run('plan', '{}', never(), (each) => seen.push(each));
    worker(0).say({ kind: 'ready', catalogue });
    worker(0).say({ kind: 'progress', id: 1, progress });
    worker(0).say({ kind: 'answer', id: 1, text: 'done' });
    await expect(answer).resolves.toBe('done');
    expect(seen).toEqual([progress]);
  });

  test('lets the newest request win', async () => {
    const { worker, run } = setUp();
    worker(0).say({ kind: 'ready', catalogue });
    const [first, second] = [run('first'), run('second')];
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(worker(0).sent.map((message) => message.kind)).toEqual(['run', 'cancel', 'run']);
    worker(0).say({ kind: 'answer', id: 1, text: 'late' });
    worker(0).say({ kind: 'answer', id: 2, text: 'new' });
    await expect(second).resolves.toBe('new');
  });

  test('cancels when the signal aborts, and refuses an aborted one', async () => {
    const { worker, run } = setUp();
    const abort = new AbortController();
    const answer = run('{}', abort.signal);
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await expect(run('{}', abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(worker(0).sent.map((message) => message.kind)).toEqual(['run', 'cancel']);
  });

  test('asks for the best so far on stop', () => {
    const { client, worker, run } = setUp();
    client.stop();
    expect(worker(0).sent).toEqual([]);
    void run('{}');
    client.stop();
    expect(worker(0).sent.at(-1)).toEqual({ kind: 'stop', id: 1 });
  });

  test('replaces a worker that does not let go, and hands the newest request over', async () => {
    const { workers, worker, run } = setUp();
    worker(0).say({ kind: 'ready', catalogue });
    const first = run('first');
    const second = run('second');
    await expect(first).rejects.toThrow();
    vi.advanceTimersByTime(1100);
    expect(worker(0).ended).toBe(true);
    expect(workers).toHaveLength(2);
    expect(worker(1).sent).toEqual([{ kind: 'run', id: 2, verb: 'plan', request: 'second' }]);
    worker(0).say({ kind: 'answer', id: 2, text: 'from the dead' });
    worker(1).say({ kind: 'answer', id: 2, text: 'alive' });
    await expect(second).resolves.toBe('alive');
  });

  test('keeps a worker that lets go in time, or has yet to load', () => {
    const { workers, worker, run } = setUp();
    run('first').catch(() => undefined);
    run('second').catch(() => undefined);
    vi.advanceTimersByTime(5000); // loading: slow networks are not dead workers
    expect(workers).toHaveLength(1);
    worker(0).say({ kind: 'ready', catalogue });
    run('third').catch(() => undefined);
    for (const id of [1, 2]) worker(0).say({ kind: 'cancelled', id });
    vi.advanceTimersByTime(5000);
    expect(workers).toHaveLength(1);
  });

  test('says that a worker crashed and starts another', async () => {
    const { workers, worker, run, onReady } = setUp();
    worker(0).say({ kind: 'ready', catalogue });
    const answer = run('{}');
    worker(0).die('unreachable');
    await expect(answer).rejects.toBeInstanceOf(PlannerCrash);
    expect(worker(0).ended).toBe(true);
    expect(workers).toHaveLength(2);
    worker(1).say({ kind: 'ready', catalogue });
    expect(onReady).toHaveBeenCalledTimes(2);
    const again = run('{}');
    worker(1).say({ kind: 'answer', id: 2, text: 'well' });
    await expect(again).resolves.toBe('well');
  });

  test('reports a planner that cannot load, without trying for ever', () => {
    const { client, workers, worker, onFailed } = setUp();
    worker(0).say({ kind: 'failed', message: 'no network' });
    expect(onFailed).toHaveBeenCalledWith('no network');
    expect(workers).toHaveLength(1);
    client.restart();
    expect(workers).toHaveLength(2);
    worker(1).die('');
    expect(onFailed).toHaveBeenCalledTimes(2);
    expect(workers).toHaveLength(2);
  });
});
