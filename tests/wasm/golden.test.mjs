// The report of every scenario is the reviewed one (tests/golden/update writes them).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missing, native } from './module.mjs';

const update = fileURLToPath(new URL('../golden/update', import.meta.url));

test('reports of all scenarios', { skip: missing(native) }, () => {
  const { status, stderr } = spawnSync(update, ['--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
