// The request: presets, the fields most often changed, pins, and everything as JSON.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { isObject, type Json, parseJson } from '../base/json.ts';
import { bandwidth, count } from '../format/quantity.ts';
import { fieldValue } from '../store/update.ts';
import { amount, type Context, type View } from './context.ts';
import { field } from './field.ts';
import { picker } from './picker.ts';
import { pinSection } from './pins.ts';

const num = (value: Json | undefined) => (typeof value === 'number' ? value : undefined);

function modelFacts({ state, t }: Context): TemplateResult {
  const [layers, hidden, heads, kv] = ['layers', 'hidden_size', 'heads', 'kv_heads'].map((key) =>
    num(fieldValue(state, `/model/${key}`)),
  );
  const text =
    layers === undefined || hidden === undefined || heads === undefined
      ? ''
      : t.request.modelFacts(
          count(layers),
          count(hidden),
          kv === undefined || kv === heads ? count(heads) : `${count(heads)} / ${count(kv)}`,
        );
  return html`<p class="note facts">${text}</p>`;
}

function levelTable({ state, t }: Context): View {
  const levels = fieldValue(state, '/cluster/levels');
  if (!Array.isArray(levels)) return html`<div class="level-box"></div>`;
  const heads = t.request.levelHeads;
  return html`<div class="level-box"><table class="levels">
    <thead><tr>
      <th scope="col">${heads.level}</th>
      <th scope="col" class="num">${heads.size}</th>
      <th scope="col" class="num">${heads.rate}</th>
    </tr></thead>
    <tbody>${levels.filter(isObject).map(
      (level) => html`<tr>
        <td>${String(level.name ?? '')}</td>
        <td class="num">${num(level.arity) ? count(num(level.arity) ?? 0) : t.request.rest}</td>
        <td class="num">${amount(bandwidth(num(level.bandwidth_bytes_per_s) ?? Number.NaN))}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;
}

function allSettings(context: Context): TemplateResult {
  const { state, dispatch, t } = context;
  const text = state.drafts[''] ?? JSON.stringify(state.request, undefined, 2);
  const bad = !isObject(parseJson(text));
  const type = (event: Event) =>
    dispatch({ kind: 'type-json', text: (event.currentTarget as HTMLTextAreaElement).value });
  return html`<details class="group">
    <summary class="head">${t.request.allSettings}</summary>
    <textarea
      class=${bad ? 'json bad' : 'json'} rows="18" spellcheck="false" autocomplete="off"
      aria-label=${t.request.allSettingsLabel} aria-invalid=${bad ? 'true' : 'false'}
      .value=${live(text)} @input=${type} @change=${() => dispatch({ kind: 'commit', path: '' })}
    ></textarea>
    ${bad ? html`<p class="error">${t.request.badJson}</p>` : nothing}
  </details>`;
}

// One line for narrow screens, where the controls are folded away.
function brief(context: Context): TemplateResult {
  const { state, dispatch, t } = context;
  const name = (path: string) => {
    const value = fieldValue(state, path);
    return typeof value === 'string' ? value : '…';
  };
  const devices = num(fieldValue(state, '/cluster/devices'));
  return html`<div class="brief">
    <p>${t.request.brief(
      name('/model/name'),
      devices === undefined ? '…' : count(devices),
      name('/cluster/name'),
    )}</p>
    <button class="button" aria-expanded=${state.editing ? 'true' : 'false'} aria-controls="controls"
      @click=${() => dispatch({ kind: 'edit', open: !state.editing })}>
      ${state.editing ? t.request.done : t.request.edit}
    </button>
  </div>`;
}

export function rail(context: Context): TemplateResult {
  const { state, t } = context;
  return html`<aside class="rail" aria-label=${t.request.heading}>
    ${brief(context)}
    <div id="controls" class=${state.editing ? 'controls open' : 'controls'}>
      <section class="group">
        ${picker(context, { kind: 'models', path: '/model', label: t.request.model })}
        ${modelFacts(context)}
      </section>
      <section class="group">
        ${picker(context, { kind: 'clusters', path: '/cluster', label: t.request.cluster })}
        ${field(context, '/cluster/devices')}
        ${levelTable(context)}
      </section>
      <section class="group">
        <h3 class="head">${t.request.training}</h3>
        ${field(context, '/training/global_batch_sequences')}
        ${field(context, '/training/sequence_length')}
        ${field(context, '/training/tokens')}
      </section>
      <section class="group">
        ${picker(context, { kind: 'stacks', path: '/stack', label: t.request.stack })}
      </section>
      ${pinSection(context)}
      ${allSettings(context)}
    </div>
  </aside>`;
}
