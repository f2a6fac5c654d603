// Holds the layout rules of the house over every source, and shows on samples that they can fail.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/bundle_presets.mjs';
import { cppFaults, lengthFaults, webFaults } from './rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

function files(folder, endings) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => !/(^|\/)(node_modules|dist|generated)\//.test(path));
}

function faultsOf(paths, rule) {
  return paths.flatMap((path) => rule(path, readFileSync(join(root, path), 'utf8')));
}

const cpp = ['.cpp', '.h'];
const ts = ['.ts', '.mjs'];

test('a room of core/ includes only the rooms before it', () => {
  const sources = [...files('core', cpp), ...files('wasm', cpp)];
  assert.ok(sources.length > 10, 'found no sources');
  assert.deepEqual(faultsOf(sources, cppFaults), []);
});

test('web/src imports only lit, d3-scale and what comes before', () => {
  assert.deepEqual(faultsOf(files('web/src', ts), webFaults), []);
});

test('sources stay short', () => {
  const sources = [
    ...['core', 'wasm', 'tests'].flatMap((folder) => files(folder, [...cpp, ...ts])),
    ...['web', 'scripts'].flatMap((folder) => files(folder, ts)),
  ];
  assert.deepEqual(faultsOf(sources, lengthFaults), []);
});

test('every preset parses and its id is unique among its kind', () => {
  assert.equal(typeof bundle(), 'string');
  for (const path of files('presets', [''])) {
    assert.match(path, /^presets\/\w+\/(.+\/)?[a-z0-9.-]+\.(json|md)$/);
  }
});

const badCpp = [
  ['core/model/x.cpp', '#include "cost/price.h"\n', 'model comes before cost'],
  ['core/cost/x.cpp', '#include <nlohmann/json.hpp>\n', 'only io knows JSON'],
  ['core/io/x.cpp', '  #  include <iostream>\n', 'touches no file'],
  ['core/search/x.h', '#include <random>\n', 'touches no file'],
  ['core/plan/x.h', '#include "io/parse.h"\n', 'plan comes before io'],
  ['wasm/x.cpp', '#include "cli/flags.h"\n', 'wasm comes before cli'],
  ['core/cli/x.cpp', '#include <emscripten/bind.h>\n', 'only wasm/ may'],
  ['core/cost/x.cpp', 'double y = std::log2(x);\n', 'std::log2(): use base/math.h'],
  ['core/cost/x.cpp', 'double y = 2 * pow (x, 2);\n', 'use base/math.h'],
  ['core/extra/x.cpp', '\n', 'not a room'],
];
for (const [path, text, expected] of badCpp) {
  test(`refuses ${path} with ${text.trim() || 'any text'}`, () => {
    const faults = cppFaults(path, text);
    assert.equal(faults.length, 1);
    assert.ok(faults[0].includes(expected), faults[0]);
  });
}

test('refuses a page module that reaches forward or outside', () => {
  const faults = webFaults(
    'web/src/format/x.ts',
    `import { view } from '../views/plan.ts';\nimport x from 'lodash';\n`,
  );
  assert.equal(faults.length, 2);
});

test('refuses long files', () => {
  assert.equal(lengthFaults('wasm/x.cpp', '\n'.repeat(150)).length, 1);
  assert.equal(lengthFaults('core/base/x.cpp', '\n'.repeat(400)).length, 1);
});

test('accepts what is allowed', () => {
  const allowed = '#include "base/math.h"\n#include <cmath>\n// exp(x)\ndouble y = std::sqrt(x);\n';
  assert.deepEqual(cppFaults('core/cost/x.cpp', `${allowed}z = exp2_of(x);\n`), []);
  assert.deepEqual(cppFaults('core/io/x.cpp', '#include <nlohmann/json.hpp>\n'), []);
  assert.deepEqual(cppFaults('core/cli/x.cpp', '#include <iostream>\n#include "io/x.h"\n'), []);
  assert.deepEqual(
    cppFaults('wasm/x.cpp', '#include <emscripten/bind.h>\n#include "plan/x.h"\n'),
    [],
  );
  assert.deepEqual(webFaults('web/src/views/x.ts', "import { html } from 'lit';\n"), []);
  assert.deepEqual(lengthFaults('core/base/x.cpp', '\n'.repeat(399)), []);
});
