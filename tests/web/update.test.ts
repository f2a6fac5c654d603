import { describe, expect, test } from 'vitest';
import { getAt } from '../../web/src/base/json.ts';
import { fieldInfo, unknownPaths } from '../../web/src/base/schema.ts';
import { type Action, initialState, type State } from '../../web/src/store/state.ts';
import { fieldValue, misreadDraft, sentRequest, update } from '../../web/src/store/update.ts';
import type { Catalogue } from '../../web/src/worker/protocol.ts';
import { plan } from './fake/plan.ts';
import { schema } from './fake/schema.ts';

const catalogue = { version: '1', schema, presets: {} } as unknown as Catalogue;
const batch = '/training/global_batch_sequences';
const having = (...actions: readonly Action[]): State =>
  actions.reduce(update, update(initialState('auto'), { kind: 'ready', catalogue }));

describe('edits', () => {
  test('a typed number goes into the request, a cleared one to its default', () => {
    const typed = having({ kind: 'type', path: batch, text: '2,048' });
    expect(getAt(typed.request, batch)).toBe(2048);
    expect(typed.drafts[batch]).toBe('2,048');
    expect(update(typed, { kind: 'commit', path: batch }).drafts).toEqual({});
    const cleared = update(typed, { kind: 'type', path: batch, text: '' });
    expect(getAt(cleared.request, batch)).toBeUndefined();
    expect(fieldValue(cleared, batch)).toBe(1024);
  });

  test('text that is no number stays, and the request with it', () => {
    const before = having();
    const state = update(before, { kind: 'type', path: batch, text: 'many' });
    expect(misreadDraft(state, batch)).toBe(true);
    expect(state.request).toBe(before.request);
    expect(update(state, { kind: 'commit', path: batch }).drafts[batch]).toBe('many');
  });

  test('pins come and go without a trace', () => {
    const path = '/search/pins/tp';
    const pinned = having({ kind: 'set', path, value: 8 });
    expect(getAt(pinned.request, path)).toBe(8);
    expect(update(pinned, { kind: 'clear', path }).request).toEqual(having().request);
  });

  test('keys that the schema does not know are kept, listed and not sent', () => {
    const request = { ...having().request, training: { tokens: 1, colour: 'red' }, extra: {} };
    const state = having({ kind: 'open', request, fault: undefined });
    expect(state.unknown).toEqual(['/training/colour', '/extra']);
    expect(state.notices).toEqual([{ kind: 'unknown-keys' }]);
    expect(state.request).toBe(request);
    expect(getAt(sentRequest(state), '/training')).toEqual({ tokens: 1 });
    const dropped = update(state, { kind: 'drop-unknown' });
    expect(dropped.request).toEqual(sentRequest(state));
    expect(dropped.notices).toEqual([]);
  });
});

describe('answers', () => {
  const answered = (state: State): State =>
    update(state, { kind: 'answered', answer: { kind: 'plan', plan }, request: state.request });

  test('errors leave the last answer in place', () => {
    const errors = [{ path: batch, code: 'range', message: 'too large' }];
    const state = update(answered(having()), {
      kind: 'answered',
      answer: { kind: 'errors', errors },
      request: {},
    });
    expect(state.errors).toBe(errors);
    expect(state.result).toEqual({ kind: 'plan', plan });
    expect(answered(state).errors).toEqual([]);
  });

  test('fields left open show what the core made of them', () => {
    const state = answered(having());
    expect(fieldValue(state, '/training/sequence_length')).toBe(8192);
  });

  test('a second crash says so', () => {
    const crash: Action = { kind: 'crashed', message: 'out of memory' };
    expect(having(crash).notices).toEqual([{ ...crash, kind: 'crash', again: false }]);
    expect(having(crash, crash).notices).toEqual([{ ...crash, kind: 'crash', again: true }]);
  });
});

describe('the schema', () => {
  test('gives titles, units and bounds through references and branches', () => {
    expect(fieldInfo(schema, batch)).toMatchObject({
      title: 'Global batch',
      unit: 'sequences',
      minimum: 1,
      maximum: 1e7,
      fallback: 1024,
    });
    expect(fieldInfo(schema, '/model/preset')).toBeDefined();
    expect(fieldInfo(schema, '/search/pins/recompute')?.choices).toEqual([
      'none',
      'selective',
      'full',
    ]);
    expect(fieldInfo(schema, '/nowhere')).toBeUndefined();
    expect(unknownPaths(schema, { model: { preset: 'x', layers: 3 } })).toEqual([]);
  });
});
