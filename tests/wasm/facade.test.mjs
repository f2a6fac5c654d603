// The facade: text in, text out, whatever the text is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { scenarioRequests } from '../golden/scenarios.mjs';
import { answerOf, glue, loadModule, loadPlanner, missing } from './module.mjs';

const skip = missing(glue);
const options = { skip };
let planner;
before(async () => {
  if (!skip) planner = await loadPlanner();
});

const small = JSON.stringify({
  format: 'nestplan.request/1',
  model: { preset: 'llama-3-8b' },
  cluster: { preset: 'hgx-h100', devices: 16 },
  training: { global_batch_sequences: 64 },
});

const verbs = ['plan', 'evaluate', 'params', 'graph', 'nest', 'presets', 'schema', 'frob', ''];
const garbage = [
  '',
  ' ',
  'null',
  '[]',
  '{',
  '{}',
  '"text"',
  '1e999',
  '\u0000',
  '\ud800',
  '[{"a":'.repeat(100_000),
  `{"format":"nestplan.request/1","model":${'['.repeat(60)}${']'.repeat(60)}}`,
  `"${'x'.repeat(9_000_000)}"`,
  small.replace('16', '-16'),
  small.replace('16', '1e300'),
  small.replace('llama', 'lama'),
];

test('every verb answers every text', options, () => {
  for (const verb of verbs) {
    for (const text of garbage) {
      const answer = JSON.parse(answerOf(planner, verb, text));
      assert.equal(typeof answer.ok, 'boolean');
      if (answer.ok) assert.ok('value' in answer);
      else
        assert.ok(
          answer.errors.every(({ path, code, message }) => code && message && path !== null),
        );
    }
  }
});

test('what is not text or not a number is taken, too', options, () => {
  for (const odd of [undefined, null, 7, {}, [], true]) {
    const task = new planner.Task(odd, odd);
    JSON.parse(task.step(odd));
    assert.equal(JSON.parse(task.result()).ok, false);
    task.delete();
    assert.equal(JSON.parse(planner.loadPresets(odd)).ok, false);
  }
  const task = new planner.Task('plan', small);
  for (const pops of [Number.NaN, -1, 0, 0.5, Infinity]) JSON.parse(task.step(pops));
  assert.equal(JSON.parse(task.result()).ok, true);
  task.delete();
});

test('refused presets leave the loaded ones', options, () => {
  assert.equal(JSON.parse(planner.loadPresets('{')).ok, false);
  assert.equal(JSON.parse(answerOf(planner, 'plan', small)).ok, true);
});

test('without presets a request that names one is refused', options, async () => {
  const bare = await loadModule();
  assert.equal(JSON.parse(answerOf(bare, 'plan', small)).ok, false);
});

test('an unknown verb names the known ones', options, () => {
  const { errors } = JSON.parse(answerOf(planner, 'frob', ''));
  assert.equal(errors[0].code, 'unknown-verb');
  assert.match(errors[0].hint, /plan, evaluate/);
});

test('progress has the keys the page reads, and bounds that close', options, () => {
  const [{ request }] = scenarioRequests().filter(({ id }) => id === 'llama-3-70b-1024-h100');
  const task = new planner.Task('plan', request);
  let last;
  for (let done = false; !done; done = last.done) {
    const progress = JSON.parse(task.step(16));
    assert.deepEqual(Object.keys(progress), ['done', 'best', 'bound_s', 'gap', 'pops']);
    if (last) assert.ok(progress.pops >= last.pops);
    last = progress;
  }
  const { value } = JSON.parse(task.result());
  task.delete();
  assert.equal(value.search.proved_optimal, true);
  // The search and the breakdown add the same parts in another order: a few units in the last place.
  assert.ok(Math.abs(value.step.total_s / last.best - 1) < 1e-12);
});

test('slices of any size give the same bytes', options, () => {
  const whole = answerOf(planner, 'plan', small, 1e9);
  assert.equal(answerOf(planner, 'plan', small, 1), whole);
});

test('a search can be stopped: its best so far, with the gap', options, () => {
  const [{ request }] = scenarioRequests().filter(({ id }) => id === 'llama-3-70b-1024-h100');
  const task = new planner.Task('plan', request);
  JSON.parse(task.step(1));
  const { ok, value } = JSON.parse(task.result());
  task.delete();
  assert.equal(ok, true);
  assert.ok('search' in value);
});

test('version and schema are text', options, () => {
  assert.match(planner.version(), /^\d+\.\d+\.\d+$/);
  assert.equal(JSON.parse(planner.schema()).type, 'object');
  assert.deepEqual(JSON.parse(answerOf(planner, 'schema', '')).value, JSON.parse(planner.schema()));
});

test('the glue needs no eval', options, () => {
  const code = readFileSync(glue, 'utf8');
  assert.doesNotMatch(code, /\beval\s*\(|\bnew Function\b|\bFunction\s*\(["'`]/);
});
