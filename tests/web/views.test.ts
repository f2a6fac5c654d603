// @vitest-environment happy-dom
import { render } from 'lit';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../web/src/base/answer.ts';
import { en } from '../../web/src/base/strings/en.ts';
import { type Action, initialState, type State } from '../../web/src/store/state.ts';
import { update } from '../../web/src/store/update.ts';
import { answer } from '../../web/src/views/answer.ts';
import { page } from '../../web/src/views/page.ts';
import type { Catalogue } from '../../web/src/worker/protocol.ts';
import { infeasible, plan } from './fake/plan.ts';
import { schema } from './fake/schema.ts';

const preset = {
  name: 'Llama 3 70B',
  description: '',
  value: { layers: 80, hidden_size: 8192, heads: 64 },
};
const catalogue = {
  version: '1.2',
  schema,
  presets: { models: { 'llama-3-70b': preset }, clusters: {}, stacks: {}, accelerators: {} },
} as unknown as Catalogue;

const first = initialState('auto');
const inOrder = (state: State, ...actions: readonly Action[]) => actions.reduce(update, state);
const answeredWith = (shown: Plan) =>
  inOrder(
    first,
    { kind: 'ready', catalogue },
    { kind: 'started' },
    { kind: 'answered', answer: { kind: 'plan', plan: shown }, request: first.request },
  );

function draw(state: State, view: typeof page = page) {
  const actions: Action[] = [];
  const root = document.createElement('div');
  render(view({ state, dispatch: (action) => actions.push(action), t: en }), root);
  const text = (selector: string) =>
    (root.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return { root, actions, text };
}

describe('the answer', () => {
  test('says the verdict first, then how sure it is', () => {
    const { text } = draw(answeredWith(plan), answer);
    expect(text('.headline')).toBe(
      'Trains at 966,000 tokens/s: 15 T tokens in 180 days for $11.0 M.',
    );
    expect(text('.verdict')).toBe('Fits Proved optimal: 18,432 candidates, 17,900 pruned');
    expect(text('[role=status]')).toContain(
      'TP 8 · PP 4 · VPP 5 · DP 32 · ZeRO 1 · selective · Micro-batch 1',
    );
  });

  test('does not claim an optimum that is not proved, nor room that is not there', () => {
    const shown: Plan = {
      ...plan,
      search: { ...plan.search, proved_optimal: false, gap: 0.031 },
      memory: { ...plan.memory, peak_bytes: 78e9 },
    };
    const { text } = draw(answeredWith(shown), answer);
    expect(text('.verdict')).toBe(
      'Tight At most 3.1 % from the optimum: stopped after 18,432 candidates',
    );
  });

  test('shows every stage against the usable memory, and the fullest one marked', () => {
    const { root, text } = draw(answeredWith(plan), answer);
    expect(root.querySelectorAll('.memory-bar')).toHaveLength(4);
    expect(root.querySelectorAll('.stage.worst')).toHaveLength(1);
    expect(text('[aria-labelledby=memory-title] header')).toContain(
      'Stage 0 is fullest: 46.8 GB of 79.6 GB (43.6 GiB of 74.1 GiB).',
    );
  });

  test('groups equal stages where there are many', () => {
    const [stage] = plan.stages;
    const many = { ...plan, stages: Array.from({ length: 64 }, () => stage) } as Plan;
    const { root, text } = draw(answeredWith(many), answer);
    expect(root.querySelectorAll('.memory-bar')).toHaveLength(1);
    expect(text('.stage-name')).toBe('Stages 0 – 63');
  });

  test('says by how much nothing fits, and what would', () => {
    const state = inOrder(first, {
      kind: 'answered',
      answer: { kind: 'infeasible', infeasible },
      request: first.request,
    });
    const { text } = draw(state, answer);
    expect(text('.tag')).toBe('Does not fit');
    expect(text('.headline')).toBe('No plan fits: 45.0 GB too much');
    expect(text('.changes li')).toContain('use 128 devices instead of 64');
  });

  test('dims while a search takes long, and offers to stop it', () => {
    const progress = { done: false, best: 9, bound_s: 8.7, gap: 0.031, pops: 9 };
    const state = inOrder(answeredWith(plan), { kind: 'started' });
    expect(draw(state, answer).root.querySelector('.stale')).toBeNull();
    const slow = inOrder(state, { kind: 'slow' }, { kind: 'progress', progress });
    const { root, text, actions } = draw(slow, answer);
    expect(root.querySelector('.stale')).not.toBeNull();
    expect(text('.verdict')).toContain('Step 9.00 s, at most 3.1 % from the optimum');
    root.querySelector<HTMLButtonElement>('.verdict button')?.click();
    expect(actions).toEqual([{ kind: 'stop' }]);
  });

  test('is marked as old after a crash, not passed off as new', () => {
    const state = inOrder(
      answeredWith(plan),
      { kind: 'set', path: '/cluster/devices', value: 2048 },
      { kind: 'crashed', message: 'out of memory' },
      { kind: 'ready', catalogue },
    );
    const { root, text } = draw(state);
    expect(text('.tag')).toBe('For the last valid request');
    expect(text('.notice')).toContain('The planner stopped (out of memory) and was restarted.');
    expect(root.querySelector('.stale')).not.toBeNull();
  });
});

describe('the next best', () => {
  test('can be pinned as a whole', () => {
    const { root, actions } = draw(answeredWith(plan), answer);
    root.querySelector<HTMLButtonElement>('[aria-labelledby=alternatives-title] button')?.click();
    expect(actions).toEqual([
      {
        kind: 'set',
        path: '/search/pins',
        value: { tp: 8, pp: 8, recompute: 'selective', sp: true },
      },
    ]);
  });
});

describe('the request', () => {
  test('has boxes of final size before anything is known', () => {
    const { root } = draw(first);
    expect(root.querySelector('.skeleton')).not.toBeNull();
    expect(root.querySelectorAll('.rail .field').length).toBeGreaterThan(3);
  });

  test('shows an error at its field and goes when the field changes', () => {
    const path = '/cluster/devices';
    const errors = [{ path, code: 'range', message: 'At most 1,048,576.', hint: 'Use 1,024.' }];
    const wrong = inOrder(answeredWith(plan), {
      kind: 'answered',
      answer: { kind: 'errors', errors },
      request: {},
    });
    const { root, text } = draw(wrong);
    expect(text('.rail .error')).toBe('At most 1,048,576. Use 1,024.');
    expect(root.querySelector('#f-cluster-devices')?.getAttribute('aria-invalid')).toBe('true');
    const mended = inOrder(wrong, { kind: 'set', path, value: 1000 });
    expect(draw(mended).root.querySelector('.error')).toBeNull();
  });

  test('pins the value of the plan with its lock', () => {
    const { root, actions } = draw(answeredWith(plan));
    root.querySelector<HTMLButtonElement>('.chip')?.click();
    expect(actions).toEqual([{ kind: 'set', path: '/search/pins/tp', value: 8 }]);
  });

  test('takes titles, units and presets from the core', () => {
    const { text } = draw(answeredWith(plan));
    expect(text('label[for=f-training-global_batch_sequences]')).toBe('Global batch sequences');
    expect(text('.facts')).toBe('80 layers, hidden 8,192, 64 / 8 heads'); // as resolved
    const before = draw(inOrder(first, { kind: 'ready', catalogue }));
    expect(before.text('.facts')).toBe('80 layers, hidden 8,192, 64 heads'); // the preset's
  });
});
