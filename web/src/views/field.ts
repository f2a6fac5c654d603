// One field of the request: label, control, unit, help, errors. What it is called, its unit, bounds
// and choices come from the schema.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Issue } from '../base/answer.ts';
import { getAt, type Json } from '../base/json.ts';
import { type FieldInfo, fieldInfo } from '../base/schema.ts';
import { count, editable, significant } from '../format/quantity.ts';
import { fieldValue, misreadDraft } from '../store/update.ts';
import type { Context } from './context.ts';
import { cross } from './icons.ts';

// Faults at a field, or below it.
export function issuesAt(context: Context, path: string): readonly Issue[] {
  return context.state.errors.filter(
    (issue) => issue.path === path || issue.path.startsWith(`${path}/`),
  );
}

export function fieldId(path: string): string {
  return `f${path.replaceAll('/', '-')}`;
}

export function messages({ state, t }: Context, path: string, issues: readonly Issue[]) {
  const misread = misreadDraft(state, path) ? [t.request.notANumber(state.drafts[path] ?? '')] : [];
  const texts = [
    ...misread,
    ...issues.map(({ message, hint }) => [message, hint].filter(Boolean).join(' ')),
  ];
  if (texts.length === 0) return nothing;
  return html`<p class="error" id="${fieldId(path)}-e">${texts.map((text) => html`${text} `)}</p>`;
}

function inputText(context: Context, path: string): string {
  const draft = context.state.drafts[path];
  if (draft !== undefined) return draft;
  const value = fieldValue(context.state, path);
  if (typeof value === 'number') return editable(value);
  return typeof value === 'string' ? value : '';
}

export function help(info: FieldInfo): string {
  const { minimum, maximum } = info;
  const show = (value: number) => (Number.isInteger(value) ? count(value) : significant(value));
  const low = minimum === undefined ? '' : `≥ ${show(minimum)}`;
  const high = maximum === undefined ? '' : `≤ ${show(maximum)}`;
  return [info.help, [low, high].filter(Boolean).join(', ')].filter(Boolean).join(' ');
}

function numberInput(context: Context, path: string, bad: boolean): TemplateResult {
  const { dispatch } = context;
  const text = (event: Event) => (event.currentTarget as HTMLInputElement).value;
  return html`<input
    id=${fieldId(path)}
    class=${bad ? 'in bad' : 'in'}
    inputmode="decimal" autocomplete="off" spellcheck="false"
    aria-invalid=${bad ? 'true' : 'false'}
    aria-describedby="${fieldId(path)}-e"
    .value=${live(inputText(context, path))}
    @input=${(event: Event) => dispatch({ kind: 'type', path, text: text(event) })}
    @change=${() => dispatch({ kind: 'commit', path })}
  />`;
}

export function choiceText({ t }: Context, choice: Json): string {
  if (choice === true) return t.request.yes;
  return choice === false ? t.request.no : String(choice);
}

export function choiceInput(
  context: Context,
  path: string,
  choices: readonly Json[],
  bad: boolean,
): TemplateResult {
  const value = fieldValue(context.state, path);
  const pick = (event: Event) => {
    const chosen = choices[(event.currentTarget as HTMLSelectElement).selectedIndex];
    if (chosen !== undefined) context.dispatch({ kind: 'set', path, value: chosen });
  };
  return html`<select
    id=${fieldId(path)} class=${bad ? 'in bad' : 'in'}
    aria-invalid=${bad ? 'true' : 'false'} aria-describedby="${fieldId(path)}-e"
    @change=${pick}>
    ${choices.map(
      (choice) => html`<option ?selected=${choice === value} .selected=${live(choice === value)}>
        ${choiceText(context, choice)}
      </option>`,
    )}
  </select>`;
}

function resetButton({ dispatch, t }: Context, path: string, title: string): TemplateResult {
  return html`<button
    class="icon" title=${t.request.reset(title)} aria-label=${t.request.reset(title)}
    @click=${() => dispatch({ kind: 'clear', path })}>${cross()}</button>`;
}

// The control alone, as the schema asks for.
export function control(context: Context, path: string, info: FieldInfo, bad: boolean) {
  const choices = info.isBoolean ? [true, false] : info.choices;
  return choices.length > 0
    ? choiceInput(context, path, choices, bad)
    : numberInput(context, path, bad);
}

export function field(context: Context, path: string): TemplateResult {
  const info = fieldInfo(context.state.catalogue?.schema, path);
  if (!info) return html`<div class="field"><span class="blank word"></span></div>`;
  const issues = issuesAt(context, path);
  const bad = issues.length > 0 || misreadDraft(context.state, path);
  const edited = getAt(context.state.request, path) !== undefined;
  return html`<div class="field">
    <label for=${fieldId(path)} title=${help(info)}>
      ${info.title}${info.unit ? html` <span class="unit">${info.unit}</span>` : nothing}
    </label>
    <span class="control">
      ${control(context, path, info, bad)}
      ${edited ? resetButton(context, path, info.title) : html`<span class="icon"></span>`}
    </span>
    ${messages(context, path, issues)}
  </div>`;
}
