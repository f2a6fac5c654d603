// Effect: copies the link or the request, and says whether that worked.
import { writeHash } from './hash.ts';
import type { Notice } from './state.ts';
import type { Store } from './store.ts';

const copiedMs = 4000;

export function connectClipboard(store: Store): void {
  store.subscribe((state, action) => {
    if (action.kind !== 'copy') return;
    const text =
      action.what === 'link'
        ? `${location.href.split('#')[0]}#${writeHash(state.request)}`
        : JSON.stringify(state.request, undefined, 2);
    const failed = () => store.dispatch({ kind: 'notice', notice: { kind: 'not-copied', text } });
    const notice: Notice = { kind: 'copied' };
    const copied = () => {
      store.dispatch({ kind: 'notice', notice });
      setTimeout(() => store.dispatch({ kind: 'dismiss', notice }), copiedMs);
    };
    if (!navigator.clipboard) failed();
    else navigator.clipboard.writeText(text).then(copied, failed);
  });
}
