// The numbers under the headline.
import { html, type TemplateResult } from 'lit';
import type { Plan } from '../base/answer.ts';
import { getAt } from '../base/json.ts';
import {
  count,
  days,
  dollars,
  gigabytes,
  percent,
  plain,
  type Quantity,
  seconds,
  significant,
  tokenRate,
  tokens,
} from '../format/quantity.ts';
import { amount, type Context } from './context.ts';

const none: Quantity = { number: '–', unit: '' };

function stat(label: string, value: Quantity, note: string): TemplateResult {
  return html`<div class="stat">
    <dt>${label}</dt>
    <dd>${amount(value)}<span class="stat-note">${note}</span></dd>
  </div>`;
}

function numberAt(plan: Plan, path: string): number {
  const value = getAt(plan.request, path);
  return typeof value === 'number' ? value : 0;
}

function timeAndCost({ t }: Context, plan: Plan): TemplateResult {
  const target = numberAt(plan, '/training/tokens');
  const price = numberAt(plan, '/cluster/accelerator/price_per_hour_usd');
  const hasDays = (plan.days ?? 0) > 0;
  const hasCost = (plan.cost ?? 0) > 0;
  const costNote = price > 0 ? t.stats.perHour(plain(dollars(price))) : t.stats.noPrice;
  return html`
    ${stat(
      t.stats.time,
      hasDays ? days(plan.days ?? 0) : none,
      target > 0 ? t.stats.forTokens(plain(tokens(target))) : t.stats.noTokens,
    )}
    ${stat(
      t.stats.cost,
      hasCost ? dollars(plan.cost ?? 0) : none,
      target > 0 ? costNote : t.stats.noTokens,
    )}
  `;
}

export function stats(context: Context, plan: Plan): TemplateResult {
  const { t } = context;
  const { step, throughput, memory } = plan;
  const band = t.stats.band(significant(step.low_s), plain(seconds(step.high_s)));
  const free = memory.usable_bytes - memory.peak_bytes;
  const peak = t.stats.peak(
    count(memory.worst_stage),
    gigabytes(memory.peak_bytes).number,
    plain(gigabytes(memory.usable_bytes)),
  );
  return html`<dl class="stats">
    ${stat(
      t.stats.throughput,
      tokenRate(throughput.tokens_per_s),
      t.stats.perDevice(significant(throughput.tokens_per_s_per_device)),
    )}
    ${stat(t.stats.step, seconds(step.total_s), band)}
    ${stat(t.stats.mfu, percent(throughput.mfu), t.stats.hfu(plain(percent(throughput.hfu))))}
    ${timeAndCost(context, plan)}
    ${stat(t.stats.headroom, gigabytes(free), peak)}
  </dl>`;
}
