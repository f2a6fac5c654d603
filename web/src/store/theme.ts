// Effect: the theme on the document, remembered where storage allows. theme.js does the same before
// the first paint.
import type { Theme } from './state.ts';
import type { Store } from './store.ts';

const key = 'nestplan.theme';

export function storedTheme(): Theme {
  try {
    const theme = localStorage.getItem(key);
    return theme === 'light' || theme === 'dark' ? theme : 'auto';
  } catch {
    return 'auto';
  }
}

function remember(theme: Theme): void {
  try {
    if (theme === 'auto') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage is blocked: the theme lasts as long as the page.
  }
}

export function connectTheme(store: Store): void {
  store.subscribe((state, action) => {
    if (action.kind !== 'theme') return;
    remember(state.theme);
    document.documentElement.dataset.theme = state.theme;
  });
}
