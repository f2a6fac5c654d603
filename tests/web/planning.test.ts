import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectPlanner } from '../../web/src/store/planning.ts';
import { initialState } from '../../web/src/store/state.ts';
import { createStore } from '../../web/src/store/store.ts';
import type { WorkerLike } from '../../web/src/worker/client.ts';
import type { Catalogue, FromWorker, ToWorker } from '../../web/src/worker/protocol.ts';
import { plan } from './fake/plan.ts';
import { schema } from './fake/schema.ts';

const catalogue = { version: '1', schema, presets: {} } as unknown as Catalogue;

function setUp() {
  const sent: ToWorker[] = [];
  const workers: WorkerLike[] = [];
  const store = createStore(initialState('auto'));
  connectPlanner(store, () => {
    const worker: WorkerLike = {
      postMessage: (message) => sent.push(message),
      terminate: () => undefined,
      onmessage: null,
      onerror: null,
      onmessageerror: null,
    };
    workers.push(worker);
    return worker;
  });
  const say = (data: FromWorker) =>
    workers.at(-1)?.onmessage?.({ data } as MessageEvent<FromWorker>);
  const die = () =>
    workers.at(-1)?.onerror?.({ message: 'trap', preventDefault: () => undefined } as ErrorEvent);
  const runs = () => sent.filter((message) => message.kind === 'run');
  return { store, workers, say, die, runs };
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('plans once it is loaded, then once after a burst of edits', async () => {
  const { store, say, runs } = setUp();
  await wait(1000);
  expect(runs()).toHaveLength(0);
  say({ kind: 'ready', catalogue });
  await wait(0);
  expect(runs()).toHaveLength(1);
  for (const text of ['5', '51', '512']) {
    store.dispatch({ kind: 'type', path: '/cluster/devices', text });
    await wait(50);
  }
  expect(runs()).toHaveLength(1);
  await wait(120);
  expect(runs()).toHaveLength(2);
  const value = JSON.stringify({ ok: true, value: plan });
  say({ kind: 'answer', id: 2, text: value });
  await wait(0);
  expect(store.state()).toMatchObject({ run: { kind: 'idle' }, result: { kind: 'plan' } });
  expect(store.state().resultOf).toBe(store.state().request);
});

test('an edit while planning takes over', async () => {
  const { store, say, runs } = setUp();
  say({ kind: 'ready', catalogue });
  await wait(0);
  store.dispatch({ kind: 'set', path: '/cluster/devices', value: 64 });
  await wait(120);
  expect(runs()).toHaveLength(2);
  say({ kind: 'answer', id: 1, text: 'not even JSON' });
  await wait(0);
  expect(store.state().run.kind).toBe('planning');
  expect(store.state().notices).toEqual([]);
});

test('says that it is slow after 150 ms', async () => {
  const { store, say } = setUp();
  say({ kind: 'ready', catalogue });
  await wait(140);
  expect(store.state().run).toMatchObject({ kind: 'planning', slow: false });
  await wait(20);
  expect(store.state().run).toMatchObject({ kind: 'planning', slow: true });
});

test('does not try a request that crashed until it changes or is asked to', async () => {
  const { store, workers, say, die, runs } = setUp();
  say({ kind: 'ready', catalogue });
  await wait(0);
  die();
  await wait(0);
  expect(store.state().notices).toMatchObject([{ kind: 'crash', again: false }]);
  expect(workers).toHaveLength(2);
  say({ kind: 'ready', catalogue });
  await wait(1000);
  expect(runs()).toHaveLength(1);
  store.dispatch({ kind: 'again' });
  await wait(0);
  expect(runs()).toHaveLength(2);
  store.dispatch({ kind: 'set', path: '/cluster/devices', value: 64 });
  await wait(120);
  expect(runs()).toHaveLength(3);
});
