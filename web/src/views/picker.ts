// Chooses a preset of one kind; a described value shows as such.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { getAt, isObject, pointer } from '../base/json.ts';
import { fieldInfo } from '../base/schema.ts';
import { fieldValue } from '../store/update.ts';
import type { PresetKind } from '../worker/protocol.ts';
import type { Context } from './context.ts';
import { fieldId, issuesAt, messages } from './field.ts';

export interface PickerOf {
  readonly kind: PresetKind;
  readonly path: string; // of the object that holds "preset"
  readonly label: string;
}

function chosen(context: Context, path: string): string | undefined {
  const described = getAt(context.state.request, path);
  if (isObject(described) && described.preset === undefined && Object.keys(described).length > 0) {
    return undefined;
  }
  const preset = getAt(context.state.request, path + pointer('preset'));
  const fallback = fieldInfo(context.state.catalogue?.schema, path)?.fallback;
  const id = preset ?? (isObject(fallback) ? fallback.preset : fallback);
  const resolved = fieldValue(context.state, path + pointer('preset'));
  return typeof id === 'string' ? id : typeof resolved === 'string' ? resolved : undefined;
}

// Faults below a picker belong to it only where no field shows them.
function ownIssues(context: Context, path: string) {
  const own = new Set([path, path + pointer('preset')]);
  return issuesAt(context, path).filter((issue) => own.has(issue.path));
}

export function picker(context: Context, of: PickerOf): TemplateResult {
  const { state, dispatch, t } = context;
  const presets = Object.entries(state.catalogue?.presets[of.kind] ?? {});
  const path = of.path + pointer('preset');
  const id = chosen(context, of.path);
  const known = presets.some(([each]) => each === id);
  const issues = ownIssues(context, of.path);
  const pick = (event: Event) => {
    const value = (event.currentTarget as HTMLSelectElement).value;
    if (value !== '') dispatch({ kind: 'set', path: of.path, value: { preset: value } });
  };
  const sorted = presets.toSorted(([, a], [, b]) =>
    a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
  return html`<label class="head" for=${fieldId(path)}>${of.label}</label>
    <select
      id=${fieldId(path)} class=${issues.length > 0 ? 'pick bad' : 'pick'}
      aria-invalid=${issues.length > 0 ? 'true' : 'false'} aria-describedby="${fieldId(path)}-e"
      ?disabled=${presets.length === 0} @change=${pick}>
      ${known ? nothing : html`<option value="" .selected=${live(true)}>${id ?? t.request.custom}</option>`}
      ${sorted.map(
        ([each, preset]) =>
          html`<option value=${each} .selected=${live(each === id)}>${preset.name}</option>`,
      )}
    </select>
    ${messages(context, path, issues)}`;
}
