// Pinned settings: chips with a lock in the answer, rows with a value in the rail.
import { html, nothing, type TemplateResult } from 'lit';
import type { Config } from '../base/answer.ts';
import { getAt, isObject, type Json, pointer } from '../base/json.ts';
import { fieldInfo, schemasAt } from '../base/schema.ts';
import { count } from '../format/quantity.ts';
import type { Context, View } from './context.ts';
import { choiceText, control, fieldId, help, issuesAt, messages } from './field.ts';
import { cross, lock } from './icons.ts';

const pinsPath = '/search/pins';

export function pinPath(name: string): string {
  return pinsPath + pointer(name);
}

export function pinTitle({ t, state }: Context, name: string): string {
  return t.pins[name] ?? fieldInfo(state.catalogue?.schema, pinPath(name))?.title ?? name;
}

// The names that can be pinned by one value, as the schema lists them.
function pinNames({ state }: Context): readonly string[] {
  const schema = state.catalogue?.schema;
  const found = schema ? schemasAt(schema, pinsPath) : [];
  const properties = found.find((each) => isObject(each.properties))?.properties;
  if (!schema || !isObject(properties)) return [];
  return Object.keys(properties).filter(
    (name) => !schemasAt(schema, pinPath(name)).some((each) => each.type === 'array'),
  );
}

// What a plan has for a pin; undefined where it has no such setting.
export function plannedValue(config: Config, name: string): Json | undefined {
  if (name === 'recompute') return config.recompute.kind;
  return (config as unknown as Readonly<Record<string, Json>>)[name];
}

// Pins every setting of a plan.
export function pinAll(context: Context, config: Config): void {
  const values = pinNames(context)
    .map((name) => [name, plannedValue(config, name)] as const)
    .filter((pin): pin is readonly [string, Json] => pin[1] !== undefined);
  context.dispatch({ kind: 'set', path: pinsPath, value: Object.fromEntries(values) });
}

function pinnedNames({ state }: Context): readonly string[] {
  const pins = getAt(state.request, pinsPath);
  return isObject(pins) ? Object.keys(pins) : [];
}

function pinRow(context: Context, name: string): TemplateResult {
  const { dispatch, state, t } = context;
  const path = pinPath(name);
  const info = fieldInfo(state.catalogue?.schema, path);
  const issues = issuesAt(context, path);
  const title = pinTitle(context, name);
  const bad = issues.length > 0;
  return html`<div class="field">
    <label for=${fieldId(path)} title=${info ? help(info) : ''}>${title}</label>
    <span class="control">
      ${info ? control(context, path, info, bad) : nothing}
      <button class="icon" title=${t.unpin(title)} aria-label=${t.unpin(title)}
        @click=${() => dispatch({ kind: 'clear', path })}>${cross()}</button>
    </span>
    ${messages(context, path, issues)}
  </div>`;
}

function firstValue(context: Context, name: string): Json {
  const { state } = context;
  const result = state.result;
  const planned = result?.kind === 'plan' ? plannedValue(result.plan.config, name) : undefined;
  const info = fieldInfo(state.catalogue?.schema, pinPath(name));
  const simplest = info?.isBoolean ? true : (info?.choices[0] ?? info?.minimum ?? 1);
  return planned ?? simplest;
}

export function pinSection(context: Context): TemplateResult {
  const { dispatch, t } = context;
  const pinned = pinnedNames(context);
  const free = pinNames(context).filter((name) => !pinned.includes(name));
  const add = (event: Event) => {
    const select = event.currentTarget as HTMLSelectElement;
    const name = select.value;
    select.value = '';
    if (name !== '')
      dispatch({ kind: 'set', path: pinPath(name), value: firstValue(context, name) });
  };
  return html`<section class="group">
    <h3 class="head">${t.request.pinned}</h3>
    ${pinned.length === 0 ? html`<p class="note">${t.request.noPins}</p>` : nothing}
    ${pinned.map((name) => pinRow(context, name))}
    <div class="field">
      <label for="pin-another">${t.request.pinAnother}</label>
      <select id="pin-another" class="in" ?disabled=${free.length === 0} @change=${add}>
        <option value="">${t.request.pinChoose}</option>
        ${free.map((name) => html`<option value=${name}>${pinTitle(context, name)}</option>`)}
      </select>
    </div>
  </section>`;
}

function chipValue(context: Context, config: Config, name: string): string {
  const { t } = context;
  if (name !== 'recompute') {
    const value = plannedValue(config, name) ?? null;
    return typeof value === 'number' ? count(value) : choiceText(context, value);
  }
  const { kind, layers } = config.recompute;
  return kind === 'full' && layers ? t.recomputeLayers(count(layers)) : t.recomputeValue[kind];
}

function chip(context: Context, config: Config, name: string): TemplateResult {
  const { dispatch, state, t } = context;
  const path = pinPath(name);
  const pinned = getAt(state.request, path) !== undefined;
  const title = pinTitle(context, name);
  const text = chipValue(context, config, name);
  const value = plannedValue(config, name) ?? null;
  const says = pinned ? t.unpin(title) : t.pin(title, text);
  const tone = issuesAt(context, path).length > 0 ? 'chip bad' : pinned ? 'chip pinned' : 'chip';
  const toggle = () => dispatch(pinned ? { kind: 'clear', path } : { kind: 'set', path, value });
  return html`<button class=${tone} aria-pressed=${pinned ? 'true' : 'false'} aria-label="${title} ${text}: ${says}"
    title=${says} @click=${toggle}>
    <span class="key">${title}</span> <b>${text}</b>
    <span class="lock">${lock(pinned)}</span>
  </button>`;
}

// The settings worth a chip, in the layout line's order; 1s of CP and EP are left out.
function chipNames(config: Config): readonly string[] {
  const omitted = (name: string) =>
    ['cp', 'ep', 'vpp'].includes(name) && plannedValue(config, name) === 1;
  const names = ['tp', 'cp', 'ep', 'pp', 'vpp', 'dp', 'zero', 'recompute', 'mbs'];
  return names.filter((name) => !omitted(name));
}

export function chips(context: Context, config: Config): View {
  return html`<div class="chips" role="group" aria-label=${context.t.answer.layout}>
    ${chipNames(config).map((name) => chip(context, config, name))}
  </div>`;
}

// TP 8 · PP 4 · DP 32 · ZeRO 1 · selective
export function layoutLine(context: Context, config: Config): string {
  const { t } = context;
  return chipNames(config)
    .map((name) => {
      if (name === 'recompute') return t.recompute[config.recompute.kind];
      return `${pinTitle(context, name)} ${chipValue(context, config, name)}`;
    })
    .join(' · ');
}
