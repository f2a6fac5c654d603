// The page: bar, request, answer, foot.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Theme } from '../store/state.ts';
import { answer } from './answer.ts';
import type { Context } from './context.ts';
import { logo } from './icons.ts';
import { notices } from './notices.ts';
import { rail } from './rail.ts';

const themes: readonly Theme[] = ['auto', 'light', 'dark'];

function themePicker({ state, dispatch, t }: Context): TemplateResult {
  const pick = (event: Event) => {
    const theme = themes[(event.currentTarget as HTMLSelectElement).selectedIndex];
    if (theme) dispatch({ kind: 'theme', theme });
  };
  return html`<label class="theme">
    <span class="theme-label">${t.theme}</span>
    <select class="in" aria-label=${t.theme} @change=${pick}>
      ${themes.map(
        (theme) =>
          html`<option .selected=${live(theme === state.theme)}>${t.themes[theme]}</option>`,
      )}
    </select>
  </label>`;
}

// A button and not a link, because the hash is the request.
function skipToAnswer(event: Event): void {
  const root = (event.currentTarget as HTMLElement).getRootNode() as ShadowRoot;
  root.getElementById('answer')?.focus();
}

function bar(context: Context): TemplateResult {
  const { dispatch, t } = context;
  return html`<header class="top">
    <button class="skip button" @click=${skipToAnswer}>${t.skip}</button>
    <span class="brand">${logo()} ${t.name}</span>
    <span class="tools">
      ${themePicker(context)}
      <button class="button primary" @click=${() => dispatch({ kind: 'copy', what: 'link' })}>
        ${t.copyLink}
      </button>
    </span>
  </header>`;
}

function foot({ state, t }: Context): TemplateResult {
  const version = state.catalogue?.version;
  return html`<footer class="foot">
    <span>${t.foot.units}</span><span>${t.foot.local}</span>
    ${version ? html`<span>${t.foot.version(version)}</span>` : nothing}
  </footer>`;
}

export function page(context: Context): TemplateResult {
  return html`
    ${bar(context)}
    <div class="page">
      ${rail(context)}
      <div class="content">${notices(context)} ${answer(context)} ${foot(context)}</div>
    </div>
  `;
}
