// The answer: sentence first, then numbers, then figures.
import { html, nothing, type TemplateResult } from 'lit';
import type { Plan } from '../base/answer.ts';
import { getAt } from '../base/json.ts';
import { count, days, dollars, plain, tokens, tokensPerSecond } from '../format/quantity.ts';
import type { Result } from '../store/state.ts';
import { isOutdated } from '../store/update.ts';
import { alternativesFigure } from './alternatives.ts';
import { communicationFigure } from './communication.ts';
import type { Context, View } from './context.ts';
import { infeasibleAnswer } from './infeasible.ts';
import { memoryFigure } from './memory.ts';
import { chips, layoutLine } from './pins.ts';
import { skeleton } from './skeleton.ts';
import { stats } from './stats.ts';
import { stepFigure } from './step_time.ts';
import { provedText, verdict } from './verdict.ts';

function target({ t }: Context, plan: Plan): string {
  const wanted = getAt(plan.request, '/training/tokens');
  const { days: time, cost } = plan;
  if (typeof wanted !== 'number' || !time) return '';
  const [amount, span] = [plain(tokens(wanted)), plain(days(time))];
  return cost
    ? t.answer.trainsForCost(amount, span, plain(dollars(cost)))
    : t.answer.trainsFor(amount, span);
}

function headline(context: Context, plan: Plan): TemplateResult {
  const { t } = context;
  const more = target(context, plan);
  const rate = t.answer.trains(plain(tokensPerSecond(plan.throughput.tokens_per_s)));
  return html`<h1 class="headline">
    ${rate}${more === '' ? nothing : html`:<span class="quiet">${more}</span>`}
  </h1>`;
}

function warnings({ t }: Context, plan: Plan): View {
  const { devices_idle, devices_used } = plan.config;
  const idle =
    devices_idle > 0
      ? [t.answer.idle(count(devices_idle), count(devices_used + devices_idle))]
      : [];
  const all = [...idle, ...plan.warnings];
  if (all.length === 0) return nothing;
  return html`<ul class="warnings" aria-label=${t.answer.warnings}>
    ${all.map((text) => html`<li>${text}</li>`)}
  </ul>`;
}

function planAnswer(context: Context, plan: Plan): TemplateResult {
  return html`
    ${headline(context, plan)}
    ${chips(context, plan.config)} ${warnings(context, plan)} ${stats(context, plan)}
    <div class="two">${memoryFigure(context, plan)} ${stepFigure(context, plan)}</div>
    ${communicationFigure(context, plan)} ${alternativesFigure(context, plan)}
  `;
}

function resultView(context: Context, result: Result | undefined): TemplateResult {
  const { state, t } = context;
  if (!result) {
    const hopeless = state.errors.length > 0 || state.run.kind === 'failed';
    return hopeless ? html`<h1 class="unseen">${t.answer.heading}</h1>` : skeleton(context);
  }
  return result.kind === 'plan'
    ? planAnswer(context, result.plan)
    : infeasibleAnswer(context, result.infeasible);
}

// Said aloud when an answer is final, and only then.
function announcement(context: Context): string {
  const { state, t } = context;
  if (state.run.kind !== 'idle' || !state.result) return '';
  if (isOutdated(state)) return t.errors.heading(state.errors.length);
  if (state.result.kind === 'infeasible') return t.answer.noFit;
  const { plan } = state.result;
  const rate = t.answer.trains(plain(tokensPerSecond(plan.throughput.tokens_per_s)));
  return `${rate}. ${layoutLine(context, plan.config)}. ${provedText(context, plan.search)}.`;
}

function faults({ state, t }: Context): View {
  if (state.errors.length === 0) return nothing;
  return html`<div class="notice bad">
    <div>
      <p>${t.errors.heading(state.errors.length)}</p>
      <ul>
        ${state.errors.map(
          ({ path, message, hint }) =>
            html`<li><code>${path || '/'}</code> ${message} ${hint ?? nothing}</li>`,
        )}
      </ul>
    </div>
  </div>`;
}

export function answer(context: Context): TemplateResult {
  const { state, t } = context;
  const old = state.run.kind === 'planning' && state.run.slow;
  const stale = old || isOutdated(state) ? 'answer stale' : 'answer';
  const busy = state.run.kind === 'planning' ? 'true' : 'false';
  return html`<main id="answer" tabindex="-1" class="main" aria-label=${t.answer.heading}>
    ${verdict(context)} ${faults(context)}
    <div class=${stale} aria-busy=${busy}>${resultView(context, state.result)}</div>
    <p class="unseen" role="status">${announcement(context)}</p>
  </main>`;
}
