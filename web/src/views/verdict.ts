// The line above the headline: does it fit, how sure is that, and what the search is doing.
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchCounters } from '../base/answer.ts';
import { count, percent, plain, seconds } from '../format/quantity.ts';
import type { Result, Run } from '../store/state.ts';
import { isOutdated } from '../store/update.ts';
import type { Context, View } from './context.ts';

type Tone = 'good' | 'warn' | 'bad' | 'plain';
const tightBelow = 0.05; // share of usable memory left

function tag(tone: Tone, text: string): TemplateResult {
  return html`<span class="tag ${tone}">${text}</span>`;
}

export function provedText({ t }: Context, search: SearchCounters, fits = true): string {
  const candidates = count(search.candidates);
  if (!fits) return t.answer.noneFits(candidates);
  return search.proved_optimal
    ? t.answer.proved(candidates, count(search.pruned))
    : t.answer.gap(plain(percent(search.gap)), candidates);
}

function fitTag({ t }: Context, result: Result): TemplateResult {
  if (result.kind === 'infeasible') return tag('bad', t.answer.noFit);
  const { peak_bytes, usable_bytes } = result.plan.memory;
  const tight = usable_bytes - peak_bytes < tightBelow * usable_bytes;
  return tight ? tag('warn', t.answer.tight) : tag('good', t.answer.fits);
}

function searching({ t, dispatch }: Context, run: Extract<Run, { kind: 'planning' }>): View {
  const { progress } = run;
  const best = progress?.best;
  const found = best !== null && best !== undefined && progress !== undefined;
  const shown = found ? 1 - progress.gap : 0;
  return html`
    ${tag('plain', found ? t.answer.bestSoFar : t.answer.updating)}
    <progress max="1" .value=${shown} aria-label=${t.answer.progress}></progress>
    <button class="button small" ?disabled=${!found} @click=${() => dispatch({ kind: 'stop' })}>
      ${t.answer.stop}
    </button>
    <span class="verdict-text">
      ${
        found
          ? t.answer.stepSoFar(plain(seconds(best)), plain(percent(progress.gap)))
          : t.answer.searching
      }
    </span>
  `;
}

function settled(context: Context, result: Result | undefined): View {
  const { state, t } = context;
  if (!result) return nothing;
  const counters = result.kind === 'plan' ? result.plan.search : result.infeasible.search;
  return html`
    ${isOutdated(state) ? tag('plain', t.answer.forLastValid) : fitTag(context, result)}
    <span class="verdict-text">${counters ? provedText(context, counters, result.kind === 'plan') : nothing}</span>
  `;
}

export function verdict(context: Context): TemplateResult {
  const { run, result } = context.state;
  const slow = run.kind === 'planning' && run.slow;
  return html`<div class=${slow ? 'verdict searching' : 'verdict'}>
    ${slow ? searching(context, run) : settled(context, result)}
  </div>`;
}
