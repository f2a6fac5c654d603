// The plans that came next.
import { html, nothing } from 'lit';
import type { Plan } from '../base/answer.ts';
import { gigabytesColumn, secondsColumn, tokenRate } from '../format/quantity.ts';
import { amount, type Context, type View } from './context.ts';
import { layoutLine, pinAll } from './pins.ts';

export function alternativesFigure(context: Context, plan: Plan): View {
  const text = context.t.alternativesFigure;
  const rows = plan.alternatives;
  if (rows.length === 0) return nothing;
  const steps = secondsColumn(rows.map((row) => row.step_s));
  const peaks = gigabytesColumn(rows.map((row) => row.peak_bytes));
  return html`<section class="figure" aria-labelledby="alternatives-title">
    <header><h2 id="alternatives-title">${text.heading}</h2><p>${text.summary}</p></header>
    <div class="scroll" tabindex="0" role="group" aria-label=${text.heading}>
      <table class="numbers">
        <thead><tr>
          <th scope="col">${text.layout}</th>
          <th scope="col" class="num">${text.step}, ${steps.unit}</th>
          <th scope="col" class="num">${text.rate}</th>
          <th scope="col" class="num">${text.memory}, ${peaks.unit}</th>
          <td></td>
        </tr></thead>
        <tbody>${rows.map(
          (row, index) => html`<tr>
            <th scope="row">${layoutLine(context, row.config)}</th>
            <td class="num">${steps.cells[index]}</td>
            <td class="num">${amount(tokenRate(row.tokens_per_s))}</td>
            <td class="num">${peaks.cells[index]}</td>
            <td class="num">
              <button class="button small" @click=${() => pinAll(context, row.config)}>
                ${text.use}
              </button>
            </td>
          </tr>`,
        )}</tbody>
      </table>
    </div>
  </section>`;
}
