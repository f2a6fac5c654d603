// The page's element: draws the store's state and connects its effects.
import { LitElement, unsafeCSS } from 'lit';
import { en } from './base/strings/en.ts';
import { connectClipboard } from './store/clipboard.ts';
import { connectHash } from './store/history.ts';
import { connectPlanner } from './store/planning.ts';
import { initialState } from './store/state.ts';
import { createStore } from './store/store.ts';
import { connectTheme, storedTheme } from './store/theme.ts';
import controls from './styles/controls.css?inline';
import figures from './styles/figures.css?inline';
import layout from './styles/layout.css?inline';
import marks from './styles/marks.css?inline';
import { page } from './views/page.ts';

export class NestplanPage extends LitElement {
  static override readonly styles = [layout, controls, figures, marks].map((css) => unsafeCSS(css));
  private readonly store = createStore(initialState(storedTheme()));

  override connectedCallback(): void {
    super.connectedCallback();
    this.store.subscribe(() => this.requestUpdate());
    connectTheme(this.store);
    connectClipboard(this.store);
    connectHash(this.store);
    connectPlanner(this.store);
  }

  override render() {
    return page({ state: this.store.state(), dispatch: this.store.dispatch, t: en });
  }
}

customElements.define('nestplan-page', NestplanPage);

// Offline use: the built page keeps its own files.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register('sw.js').catch(() => undefined); // works online only
  });
}
