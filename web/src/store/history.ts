// Effect: the request and the URL hash follow each other. Choices make a history entry; typing
// rewrites the current one.
import { readHash, writeHash } from './hash.ts';
import { firstRequest, requestFormat } from './state.ts';
import type { Store } from './store.ts';

export function connectHash(store: Store, target: Window = window): void {
  let shown = target.location.hash;

  function openHash(): void {
    shown = target.location.hash;
    const read = readHash(shown, requestFormat);
    const request = read.kind === 'request' ? read.request : firstRequest;
    store.dispatch({
      kind: 'open',
      request,
      fault: read.kind === 'fault' ? read.fault : undefined,
    });
  }

  store.subscribe((state, action, before) => {
    if (state.request === before.request || action.kind === 'open') return;
    if (action.kind === 'ready') return;
    const hash = `#${writeHash(state.request)}`;
    const typing = action.kind === 'type' || action.kind === 'type-json';
    if (typing) target.history.replaceState(null, '', hash);
    else target.history.pushState(null, '', hash);
    shown = target.location.hash; // as the browser spells it
  });

  // Back, forward, and a link typed into the address bar.
  const follow = () => target.location.hash !== shown && openHash();
  target.addEventListener('popstate', follow);
  target.addEventListener('hashchange', follow);
  openHash();
}
