// The native command as other programs see it: streams and exit status.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { missing, native } from './module.mjs';

const options = { skip: missing(native) };
const run = (words, input = '') => spawnSync(native, words, { input, encoding: 'utf8' });
const small = ['--model', 'llama-3-8b', '--cluster', 'hgx-h100', '--devices', '16'];

test('0: the report, or the answer as JSON', options, () => {
  const text = run(['plan', ...small]);
  assert.equal(text.status, 0);
  assert.match(text.stdout, /tokens\/s[\s\S]*Stages[\s\S]*Step time[\s\S]*Proved optimal/);
  assert.equal(text.stderr, '');
  const json = run(['plan', ...small, '--json', '--timing']);
  const answer = JSON.parse(json.stdout);
  assert.deepEqual(Object.keys(answer), ['ok', 'value', 'timing']);
  assert.ok(answer.timing.search_s >= 0);
});

test('flags change a file; pins hold', options, () => {
  const request = JSON.stringify({
    model: { preset: 'llama-3-8b' },
    cluster: { preset: 'hgx-h100' },
  });
  const { stdout } = run(['plan', '-', '--devices', '16', '--pin', 'tp=2,pp=2', '--json'], request);
  const { value } = JSON.parse(stdout);
  assert.equal(value.request.cluster.devices, 16);
  assert.deepEqual([value.config.tp, value.config.pp], [2, 2]);
});

test('1: no plan fits, and the answer says why', options, () => {
  const tight = ['--model', 'llama-3.1-405b', '--cluster', 'hgx-h100', '--devices', '8'];
  const text = run(['plan', ...tight]);
  assert.equal(text.status, 1);
  assert.match(text.stdout, /No plan fits/);
  assert.equal(JSON.parse(run(['plan', ...tight, '--json']).stdout).value.feasible, false);
});

test('2: every fault on stderr, nothing on stdout', options, () => {
  for (const words of [
    [],
    ['frob'],
    ['plan'],
    ['plan', '--frob'],
    ['plan', '/no/such/file'],
    ['plan', '/'],
    ['plan', ...small, '--pin', 'tp=0'],
    ['plan', ...small, '--seq', 'long'],
    ['params', ...small],
    ['schema', '-'],
  ]) {
    const { status, stdout, stderr } = run(words);
    assert.equal(status, 2, words.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^\S+: .+\n/);
    const json = run([...words, '--json']);
    assert.equal(json.status, 2);
    assert.equal(json.stderr, '');
    assert.equal(JSON.parse(json.stdout).ok, false);
  }
});

test('help and version', options, () => {
  assert.match(run(['--help']).stdout, /Verbs[\s\S]*plan/);
  assert.match(run(['--version']).stdout, /^nestplan \d+\.\d+\.\d+\n$/);
});
