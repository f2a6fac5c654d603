// Effect: every new request is planned, 120 ms after the last edit.
import { readAnswer } from '../base/answer.ts';
import {
  type ClientEvents,
  PlannerClient,
  PlannerCrash,
  startWorker,
  type WorkerLike,
} from '../worker/client.ts';
import type { Store } from './store.ts';
import { sentRequest } from './update.ts';

const settleMs = 120;
const slowMs = 150;

async function plan(store: Store, client: PlannerClient, signal: AbortSignal): Promise<void> {
  const { dispatch } = store;
  const { request } = store.state();
  const sent = JSON.stringify(sentRequest(store.state()));
  dispatch({ kind: 'started' });
  const slow = setTimeout(() => dispatch({ kind: 'slow' }), slowMs);
  try {
    const text = await client.run('plan', sent, signal, (progress) =>
      dispatch({ kind: 'progress', progress }),
    );
    if (!signal.aborted) dispatch({ kind: 'answered', answer: readAnswer(text), request });
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof PlannerCrash) dispatch({ kind: 'crashed', message: error.message });
  } finally {
    clearTimeout(slow);
  }
}

export function connectPlanner(store: Store, create: () => WorkerLike = startWorker): void {
  let abort = new AbortController();
  let settle: ReturnType<typeof setTimeout> | undefined;
  let crashed = false; // by the request as it is: not planned again unasked
  const { dispatch } = store;
  const events: ClientEvents = {
    onReady: (catalogue) => dispatch({ kind: 'ready', catalogue }),
    onFailed: (message) => dispatch({ kind: 'failed', message }),
  };
  const client = new PlannerClient(events, create);

  const planSoon = (delay: number) => {
    clearTimeout(settle);
    settle = setTimeout(() => {
      abort.abort();
      abort = new AbortController();
      void plan(store, client, abort.signal);
    }, delay);
  };

  store.subscribe((state, action, before) => {
    if (action.kind === 'stop') client.stop();
    if (action.kind === 'retry') client.restart();
    const edited = state.request !== before.request;
    if (action.kind === 'crashed') crashed = true;
    else if (edited || action.kind === 'again') crashed = false;
    const loaded = state.run.kind !== 'loading' && state.run.kind !== 'failed';
    if (!loaded || crashed) return;
    if (action.kind === 'again' || action.kind === 'ready') planSoon(0);
    else if (edited) planSoon(settleMs);
  });
}
