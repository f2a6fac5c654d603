// The report of every scenario against its golden file; see tests/golden/update.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const scenarios = join(root, 'presets/scenarios');
const golden = join(here, 'scenarios');
const binary = process.env.NESTPLAN ?? join(root, 'build/release/nestplan');

export function scenarioRequests() {
  return readdirSync(scenarios)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const { value } = JSON.parse(readFileSync(join(scenarios, name), 'utf8'));
      return { id: name.slice(0, -'.json'.length), request: JSON.stringify(value) };
    });
}

function report({ id, request }) {
  const { status, stdout, stderr } = spawnSync(binary, ['plan', '-'], {
    input: request,
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(`${id}: exit ${status}\n${stderr}`);
  return stdout;
}

function stored(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function main(check) {
  mkdirSync(golden, { recursive: true });
  let faults = 0;
  const fault = (text) => {
    console.error(`golden: ${text}`);
    faults += 1;
  };
  for (const scenario of scenarioRequests()) {
    const path = join(golden, `${scenario.id}.txt`);
    try {
      const text = report(scenario);
      if (!check) writeFileSync(path, text);
      else if (text !== stored(path)) fault(`${scenario.id}: the report differs from ${path}`);
    } catch (error) {
      fault(error.message);
    }
  }
  process.exit(faults > 0 ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.includes('--check'));
