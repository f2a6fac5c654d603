// Memory per stage: bars against the usable memory, and the same numbers as a table.
import { html, nothing, type TemplateResult } from 'lit';
import { memoryParts, type Plan, type Stage } from '../base/answer.ts';
import { type MemoryScale, memoryAxis, memoryBar, memoryScale } from '../charts/memory_bar.ts';
import { count, gibibytes, gigabytes, gigabytesColumn, plain, short } from '../format/quantity.ts';
import type { Context, View } from './context.ts';
import { layersText } from './stage_layers.ts';

interface Group {
  readonly first: number;
  readonly last: number;
  readonly stage: Stage;
}

const groupAbove = 24;

function alike(a: Stage, b: Stage, context: Context): boolean {
  return (
    memoryParts.every((part) => a.memory[part] === b.memory[part]) &&
    layersText(context, a.layers) === layersText(context, b.layers)
  );
}

// Each stage, or runs of equal neighbours where there are many.
function groups(context: Context, stages: readonly Stage[]): readonly Group[] {
  const result: Group[] = [];
  for (const [index, stage] of stages.entries()) {
    const last = result.at(-1);
    if (stages.length > groupAbove && last && alike(last.stage, stage, context)) {
      result[result.length - 1] = { ...last, last: index };
    } else {
      result.push({ first: index, last: index, stage });
    }
  }
  return result;
}

function nameOf({ t }: Context, { first, last }: Group): string {
  const text = t.memoryFigure;
  return first === last ? text.stage(count(first)) : text.stages(count(first), count(last));
}

function barRow(context: Context, plan: Plan, group: Group, scale: MemoryScale): TemplateResult {
  const { t } = context;
  const { memory } = group.stage;
  const worst = group.first <= plan.memory.worst_stage && plan.memory.worst_stage <= group.last;
  const parts = memoryParts.map((part) => `${t.memory[part]} ${plain(gigabytes(memory[part]))}`);
  const label = t.memoryFigure.bar(nameOf(context, group), parts.join(', '));
  return html`<div class=${worst ? 'stage worst' : 'stage'}>
    <span class="stage-name">${nameOf(context, group)}</span>
    <span class="stage-layers">${layersText(context, group.stage.layers)}</span>
    ${memoryBar(memory, plan.memory.usable_bytes, scale, label)}
    <span class="stage-total">
      ${worst ? html`<span class="mark">${t.memoryFigure.worst}</span> ` : nothing}
      ${gigabytes(memory.total_bytes).number}
    </span>
  </div>`;
}

function legend({ t }: Context): TemplateResult {
  return html`<ul class="legend">
    ${memoryParts.map((part) => html`<li><i class="swatch ${part}"></i>${t.memory[part]}</li>`)}
  </ul>`;
}

function tableTwin(context: Context, all: readonly Group[]): TemplateResult {
  const { t } = context;
  const shown = [...memoryParts, 'total_bytes'] as const;
  const { cells } = gigabytesColumn(
    all.flatMap((group) => shown.map((part) => group.stage.memory[part])),
  );
  return html`<details class="twin">
    <summary>${t.memoryFigure.table}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label=${t.memoryFigure.heading}>
      <table class="numbers">
        <caption>${t.memoryFigure.perDevice}</caption>
        <thead><tr>
          <th scope="col">${t.memoryFigure.stageHead}</th>
          <th scope="col">${t.memoryFigure.layersHead}</th>
          ${memoryParts.map((part) => html`<th scope="col" class="num">${t.memory[part]}</th>`)}
          <th scope="col" class="num">${t.memoryFigure.totalHead}</th>
        </tr></thead>
        <tbody>${all.map(
          (group, row) => html`<tr>
            <th scope="row">${nameOf(context, group)}</th>
            <td>${layersText(context, group.stage.layers)}</td>
            ${cells
              .slice(row * shown.length, (row + 1) * shown.length)
              .map((cell) => html`<td class="num">${cell}</td>`)}
          </tr>`,
        )}</tbody>
      </table>
    </div>
  </details>`;
}

export function memoryFigure(context: Context, plan: Plan): View {
  const { t } = context;
  const { worst_stage, peak_bytes, usable_bytes } = plan.memory;
  const all = groups(context, plan.stages);
  const scale = memoryScale(peak_bytes, usable_bytes);
  const summary = t.memoryFigure.summary(
    count(worst_stage),
    plain(gigabytes(peak_bytes)),
    plain(gigabytes(usable_bytes)),
    plain(gibibytes(peak_bytes)),
    plain(gibibytes(usable_bytes)),
  );
  return html`<section class="figure" aria-labelledby="memory-title">
    <header><h2 id="memory-title">${t.memoryFigure.heading}</h2><p>${summary}</p></header>
    <div class="stages">
      ${all.map((group) => barRow(context, plan, group, scale))}
      <div class="stage axis-row">
        <span></span><span></span>
        ${memoryAxis(usable_bytes, scale, (bytes) => short(bytes / 1e9))}
        <span class="stage-total unit">${t.memoryFigure.perDevice}</span>
      </div>
    </div>
    ${legend(context)} ${tableTwin(context, all)}
  </section>`;
}
