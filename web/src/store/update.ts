// State and action to the next state; no effects.
import type { Issue } from '../base/answer.ts';
import {
  getAt,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  pointer,
  pointerKeys,
  removeAt,
  setAt,
} from '../base/json.ts';
import { fieldInfo, unknownPaths } from '../base/schema.ts';
import { parseNumber } from '../format/quantity.ts';
import type { PresetKind } from '../worker/protocol.ts';
import type { Action, Notice, State } from './state.ts';

function without(drafts: State['drafts'], path: string): State['drafts'] {
  const { [path]: _, ...rest } = drafts;
  return rest;
}

function withNotice(state: State, notice: Notice): State {
  const others = state.notices.filter((each) => each.kind !== notice.kind);
  return { ...state, notices: [...others, notice] };
}

function withoutNotice(state: State, kind: Notice['kind']): State {
  return { ...state, notices: state.notices.filter((each) => each.kind !== kind) };
}

// A new request: keys that the schema does not know stay in it, and are listed; faults found in what
// has changed since are gone.
function withRequest(state: State, request: JsonObject): State {
  const schema = state.catalogue?.schema;
  const unknown = schema ? unknownPaths(schema, request) : [];
  const same = ({ path }: Issue) =>
    JSON.stringify(getAt(request, path)) === JSON.stringify(getAt(state.request, path));
  const next = { ...state, request, unknown, errors: state.errors.filter(same) };
  const notice: Notice = { kind: 'unknown-keys' };
  return unknown.length > 0 ? withNotice(next, notice) : withoutNotice(next, notice.kind);
}

function typed(state: State, path: string, text: string): State {
  const drafted = { ...state, drafts: { ...state.drafts, [path]: text } };
  if (text.trim() === '') return withRequest(drafted, removeAt(state.request, path));
  const value = parseNumber(text);
  if (value === undefined || getAt(state.request, path) === value) return drafted;
  return withRequest(drafted, setAt(state.request, path, value));
}

function typedJson(state: State, text: string): State {
  const drafted = { ...state, drafts: { ...state.drafts, '': text } };
  const request = parseJson(text);
  return isObject(request) ? withRequest(drafted, request) : drafted;
}

// Typing ended: a text that could be read gives way to the value's own form.
function committed(state: State, path: string): State {
  const text = state.drafts[path] ?? '';
  const good = path === '' ? isObject(parseJson(text)) : parseNumber(text) !== undefined;
  const keep = !good && text.trim() !== '';
  return keep ? state : { ...state, drafts: without(state.drafts, path) };
}

function opened(state: State, action: Extract<Action, { kind: 'open' }>): State {
  const clean = withoutNotice({ ...state, drafts: {} }, 'link');
  const next = withRequest(clean, action.request);
  return action.fault ? withNotice(next, { kind: 'link', fault: action.fault }) : next;
}

function answered(state: State, action: Extract<Action, { kind: 'answered' }>): State {
  const next: State = { ...state, run: { kind: 'idle' }, errors: [] };
  const { answer } = action;
  switch (answer.kind) {
    case 'errors':
      return { ...next, errors: answer.errors };
    case 'unreadable':
      return withNotice(next, { kind: 'unreadable' });
    case 'plan':
    case 'infeasible':
      return withoutNotice({ ...next, result: answer, resultOf: action.request }, 'unreadable');
    default:
      return answer satisfies never;
  }
}

function crashed(state: State, message: string): State {
  const again = state.notices.some((notice) => notice.kind === 'crash');
  return withNotice({ ...state, run: { kind: 'loading' } }, { kind: 'crash', message, again });
}

function ready(state: State, action: Extract<Action, { kind: 'ready' }>): State {
  return withRequest(
    { ...state, catalogue: action.catalogue, run: { kind: 'idle' } },
    state.request,
  );
}

function ran(state: State, action: Action): State {
  const { run } = state;
  switch (action.kind) {
    case 'started':
      return { ...state, run: { kind: 'planning', slow: false, progress: undefined } };
    case 'slow':
      return run.kind === 'planning' ? { ...state, run: { ...run, slow: true } } : state;
    case 'progress':
      return run.kind === 'planning'
        ? { ...state, run: { ...run, progress: action.progress } }
        : state;
    case 'failed':
      return { ...state, run: { kind: 'failed', message: action.message } };
    case 'retry':
      return { ...state, run: { kind: 'loading' } };
    default:
      return state;
  }
}

export function update(state: State, action: Action): State {
  switch (action.kind) {
    case 'set': {
      const next = withRequest(state, setAt(state.request, action.path, action.value));
      return { ...next, drafts: without(next.drafts, action.path) };
    }
    case 'clear': {
      const next = withRequest(state, removeAt(state.request, action.path));
      return { ...next, drafts: without(next.drafts, action.path) };
    }
    case 'type':
      return typed(state, action.path, action.text);
    case 'commit':
      return committed(state, action.path);
    case 'type-json':
      return typedJson(state, action.text);
    case 'drop-unknown':
      return withRequest(state, state.unknown.reduce(removeAt, state.request));
    case 'open':
      return opened(state, action);
    case 'ready':
      return ready(state, action);
    case 'answered':
      return answered(state, action);
    case 'crashed':
      return crashed(state, action.message);
    case 'notice':
      return withNotice(state, action.notice);
    case 'dismiss':
      return withoutNotice(state, action.notice.kind);
    case 'theme':
      return { ...state, theme: action.theme };
    case 'edit':
      return { ...state, editing: action.open };
    default:
      return ran(state, action);
  }
}

// The answer shown is not for the request shown, and none is on its way.
export function isOutdated(state: State): boolean {
  const { run, request, resultOf, errors, notices } = state;
  if (run.kind === 'planning' || !resultOf || resultOf === request) return false;
  return errors.length > 0 || run.kind === 'failed' || notices.some(({ kind }) => kind === 'crash');
}

// What goes to the core: the request without the keys that it would refuse.
export function sentRequest(state: State): JsonObject {
  return state.unknown.reduce(removeAt, state.request);
}

// Text typed into a number field that is not a number, by pointer.
export function misreadDraft(state: State, path: string): boolean {
  const text = state.drafts[path];
  return text !== undefined && text.trim() !== '' && parseNumber(text) === undefined;
}

const presetSections = { model: 'models', cluster: 'clusters', stack: 'stacks' } as const;

// What the preset named in the field's section of the request says.
function presetValue(state: State, path: string): Json | undefined {
  const [section = '', ...rest] = pointerKeys(path);
  const kind = (presetSections as Readonly<Record<string, PresetKind>>)[section];
  const id = getAt(state.request, pointer(section, 'preset'));
  if (!kind || typeof id !== 'string') return undefined;
  const presets = state.catalogue?.presets[kind] ?? {};
  return Object.hasOwn(presets, id) ? getAt(presets[id]?.value, pointer(...rest)) : undefined;
}

// What the core made of it, if it answered for this very section of the request.
function resolvedValue(state: State, path: string): Json | undefined {
  const { result, resultOf, request } = state;
  const section = pointer(pointerKeys(path)[0] ?? '');
  const text = (document: JsonObject) => JSON.stringify(getAt(document, section));
  if (!result || !resultOf || text(resultOf) !== text(request)) return undefined;
  return getAt(result.kind === 'plan' ? result.plan.request : result.infeasible.request, path);
}

// What a field shows: what was asked, else what the core made of it, else the preset or default.
export function fieldValue(state: State, path: string): Json | undefined {
  return (
    getAt(state.request, path) ??
    resolvedValue(state, path) ??
    presetValue(state, path) ??
    fieldInfo(state.catalogue?.schema, path)?.fallback
  );
}
