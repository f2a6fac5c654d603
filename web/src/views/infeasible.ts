// No plan fits: by how much, where, and the nearest changes that would.
import { html, nothing, type TemplateResult } from 'lit';
import type { Change, Infeasible } from '../base/answer.ts';
import { bytes, count, gigabytes, plain, tokenRate } from '../format/quantity.ts';
import type { Context } from './context.ts';
import { layoutLine } from './pins.ts';

function changeCard(context: Context, change: Change): TemplateResult {
  const { dispatch, t } = context;
  const { pointer: path, summary, value } = change;
  return html`<li class="panel">
    <h3>${change.change}</h3>
    ${
      summary
        ? html`<p>
            <b>${t.infeasible.result(
              plain(tokenRate(summary.tokens_per_s)),
              gigabytes(summary.peak_bytes).number,
              plain(gigabytes(summary.usable_bytes)),
            )}</b>
          </p>
          <p class="note">${layoutLine(context, summary.config)}</p>`
        : nothing
    }
    ${
      path !== undefined && value !== undefined
        ? html`<button class="button small" @click=${() => dispatch({ kind: 'set', path, value })}>
            ${t.infeasible.apply}
          </button>`
        : nothing
    }
  </li>`;
}

export function infeasibleAnswer(context: Context, infeasible: Infeasible): TemplateResult {
  const { t } = context;
  const { reason, nearest } = infeasible;
  return html`
    <h1 class="headline">${t.infeasible.over(plain(bytes(reason.bytes_over)))}</h1>
    <p class="reason">${reason.text}</p>
    <p class="note">${t.infeasible.where(count(reason.stage), reason.part)}</p>
    <section class="figure" aria-labelledby="changes-title">
      <header>
        <h2 id="changes-title">${t.infeasible.heading}</h2>
        <p>${nearest.length > 0 ? t.infeasible.summary : t.infeasible.none}</p>
      </header>
      <ul class="changes">${nearest.map((change) => changeCard(context, change))}</ul>
    </section>
  `;
}
