// The step's time as one stacked bar.
import { html, type TemplateResult } from 'lit';
import type { StepPart } from '../base/answer.ts';

export interface StepShare {
  readonly part: StepPart;
  readonly seconds: number;
  readonly title: string;
}

export function stepBar(shares: readonly StepShare[], label: string): TemplateResult {
  return html`<div class="bar step-bar" role="img" aria-label=${label}>
    ${shares.map(
      ({ part, seconds, title }) =>
        html`<i class="fill ${part}" style="flex-grow:${seconds}" title=${title}></i>`,
    )}
  </div>`;
}
