// What is sent, across which level, and how much of it is waited for.
import { html, type TemplateResult } from 'lit';
import type { Plan } from '../base/answer.ts';
import { bytes, secondsColumn } from '../format/quantity.ts';
import { amount, type Context } from './context.ts';

export function communicationFigure({ t }: Context, plan: Plan): TemplateResult {
  const text = t.communicationFigure;
  const rows = plan.communication;
  const times = secondsColumn(rows.flatMap((row) => [row.exposed_s, row.hidden_s]));
  const body = html`<div class="scroll" tabindex="0" role="group" aria-label=${text.heading}>
    <table class="numbers">
      <thead><tr>
        <th scope="col">${text.what}</th>
        <th scope="col">${text.level}</th>
        <th scope="col">${text.form}</th>
        <th scope="col" class="num">${text.bytes}</th>
        <th scope="col" class="num">${text.exposed}, ${times.unit}</th>
        <th scope="col" class="num">${text.hidden}, ${times.unit}</th>
      </tr></thead>
      <tbody>${rows.map(
        (row, index) => html`<tr>
          <th scope="row">${row.what}</th>
          <td>${row.level}</td>
          <td>${row.form}</td>
          <td class="num">${amount(bytes(row.bytes))}</td>
          <td class="num">${times.cells[2 * index]}</td>
          <td class="num">${times.cells[2 * index + 1]}</td>
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
  return html`<section class="figure" aria-labelledby="communication-title">
    <header><h2 id="communication-title">${text.heading}</h2><p>${text.summary}</p></header>
    ${rows.length === 0 ? html`<p>${text.none}</p>` : body}
  </section>`;
}
