// Effect: copies the link or the request, and says whether that worked.
import type { Store } from './store.ts';

export function connectClipboard(store: Store): void {
  store.subscribe((state, action) => {
    if (action.kind !== 'copy') return;
    const text =
      action.what === 'link' ? location.href : JSON.stringify(state.request, undefined, 2);
    const failed = () => store.dispatch({ kind: 'notice', notice: { kind: 'not-copied', text } });
    const copied = () => store.dispatch({ kind: 'notice', notice: { kind: 'copied' } });
    if (!navigator.clipboard) failed();
    else navigator.clipboard.writeText(text).then(copied, failed);
  });
}
