// The native tool and the module give the same bytes for the same request.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { scenarioRequests } from '../golden/scenarios.mjs';
import { answerOf, glue, loadPlanner, missing, native } from './module.mjs';

const skip = missing(glue, native);

function nativeAnswer(verb, input) {
  const words = input === '' ? [verb, '--json'] : [verb, '-', '--json'];
  const { stdout, status, stderr } = spawnSync(native, words, {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  assert.ok(status === 0 || status === 1 || status === 2, `exit ${status}: ${stderr}`);
  assert.ok(stdout.endsWith('\n'));
  return stdout.slice(0, -1);
}

test('every scenario, planned and evaluated', { skip }, async (context) => {
  const planner = await loadPlanner();
  for (const { id, request } of scenarioRequests()) {
    await context.test(id, () => {
      assert.equal(answerOf(planner, 'plan', request), nativeAnswer('plan', request));
      assert.equal(answerOf(planner, 'evaluate', request), nativeAnswer('evaluate', request));
    });
  }
});

test('faults, the schema and the presets', { skip }, async () => {
  const planner = await loadPlanner();
  for (const [verb, input] of [
    ['schema', ''],
    ['presets', ''],
    ['plan', '{}'],
    ['plan', '{"model": {"preset": "nope"}, "frob": 1e400}'],
    ['params', '{"model_type": "frob"}'],
  ]) {
    assert.equal(answerOf(planner, verb, input), nativeAnswer(verb, input));
  }
});
