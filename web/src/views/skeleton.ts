// Before the first answer: grey boxes of its final size.
import { html, type TemplateResult } from 'lit';
import type { Context } from './context.ts';

const times = (count: number) => Array.from({ length: count });

export function skeleton({ t }: Context): TemplateResult {
  return html`<h1 class="unseen">${t.answer.heading}</h1>
  <div class="skeleton" aria-hidden="true">
    <div class="blank headline"></div>
    <div class="chips">${times(7).map(() => html`<span class="blank chip"></span>`)}</div>
    <div class="stats">
      ${times(6).map(() => html`<div class="stat"><span class="blank"></span></div>`)}
    </div>
    <div class="two">
      ${times(2).map(() => html`<div class="figure"><div class="blank tall"></div></div>`)}
    </div>
  </div>`;
}
