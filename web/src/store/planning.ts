// Effect: every new request is planned, 120 ms after the last edit.
import { readAnswer } from '../base/answer.ts';
import { PlannerClient, PlannerCrash, startWorker, type WorkerLike } from '../worker/client.ts';
import type { Store } from './store.ts';
import { sentRequest } from './update.ts';

const settleMs = 120;
const slowMs = 150;

export function connectPlanner(store: Store, create: () => WorkerLike = startWorker): void {
  let abort = new AbortController();
  let settle: ReturnType<typeof setTimeout> | undefined;
  let loaded = false;
  let crashed = false; // by the request as it is: not planned again unasked
  const { dispatch } = store;
  const client = new PlannerClient(
    {
      onReady: (catalogue) => {
        loaded = true;
        dispatch({ kind: 'ready', catalogue });
      },
      onFailed: (message) => {
        loaded = false;
        dispatch({ kind: 'failed', message });
      },
    },
    create,
  );

  async function plan(): Promise<void> {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const request = store.state().request;
    dispatch({ kind: 'started' });
    const slow = setTimeout(() => dispatch({ kind: 'slow' }), slowMs);
    try {
      const sent = JSON.stringify(sentRequest(store.state()));
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

  function planSoon(delay: number): void {
    clearTimeout(settle);
    settle = setTimeout(() => void plan(), delay);
  }

  store.subscribe((state, action, before) => {
    if (action.kind === 'stop') client.stop();
    if (action.kind === 'retry') client.restart();
    const edited = state.request !== before.request;
    if (action.kind === 'crashed') crashed = true;
    else if (edited || action.kind === 'again') crashed = false;
    if (!loaded || crashed) return;
    if (action.kind === 'again' || action.kind === 'ready') planSoon(0);
    else if (edited) planSoon(settleMs);
  });
}
