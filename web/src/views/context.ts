// What every view gets.
import { html, type TemplateResult } from 'lit';
import type { Strings } from '../base/strings/en.ts';
import type { Quantity } from '../format/quantity.ts';
import type { Dispatch, State } from '../store/state.ts';

export interface Context {
  readonly state: State;
  readonly dispatch: Dispatch;
  readonly t: Strings;
}

export type View = TemplateResult | typeof import('lit').nothing;

// A number with its unit in the quieter colour.
export function amount({ number, unit }: Quantity): TemplateResult {
  return unit === ''
    ? html`<span class="q">${number}</span>`
    : html`<span class="q">${number}<span class="unit">\u202f${unit}</span></span>`;
}
