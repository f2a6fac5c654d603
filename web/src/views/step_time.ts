// Where the step's time goes: one bar and its table, which add up to the step.
import { html, type TemplateResult } from 'lit';
import { type Plan, stepParts } from '../base/answer.ts';
import { type StepShare, stepBar } from '../charts/step_bar.ts';
import { percent, plain, seconds, secondsColumn } from '../format/quantity.ts';
import { amount, type Context } from './context.ts';

function shares({ t }: Context, plan: Plan): readonly StepShare[] {
  return stepParts
    .map((part) => ({ part, seconds: plan.step.parts[part] }))
    .filter((each) => each.seconds > 0)
    .map((each) => ({ ...each, title: `${t.step[each.part]} ${plain(seconds(each.seconds))}` }));
}

export function stepFigure(context: Context, plan: Plan): TemplateResult {
  const { t } = context;
  const total = plan.step.total_s;
  const all = shares(context, plan);
  const largest = all.reduce<StepShare | undefined>(
    (best, each) => (best && best.seconds >= each.seconds ? best : each),
    undefined,
  );
  const column = secondsColumn([...all.map((each) => each.seconds), total]);
  const summary = largest
    ? t.stepFigure.summary(t.step[largest.part], plain(percent(largest.seconds / total)))
    : '';
  return html`<section class="figure" aria-labelledby="step-title">
    <header><h2 id="step-title">${t.stepFigure.heading}</h2><p>${summary}</p></header>
    ${stepBar(all, all.map((each) => each.title).join(', '))}
    <table class="numbers">
      <thead><tr>
        <th scope="col">${t.stepFigure.part}</th>
        <th scope="col" class="num">${t.stepFigure.time}, ${column.unit}</th>
        <th scope="col" class="num">${t.stepFigure.share}</th>
      </tr></thead>
      <tbody>${all.map(
        (each, row) => html`<tr>
          <td><i class="swatch ${each.part}"></i>${t.step[each.part]}</td>
          <td class="num">${column.cells[row]}</td>
          <td class="num">${amount(percent(each.seconds / total))}</td>
        </tr>`,
      )}</tbody>
      <tfoot><tr>
        <th scope="row">${t.stepFigure.total}</th>
        <td class="num">${column.cells.at(-1)}</td>
        <td class="num">${amount(percent(1))}</td>
      </tr></tfoot>
    </table>
  </section>`;
}
