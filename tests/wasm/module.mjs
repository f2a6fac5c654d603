// The built module and the presets, or the reason why there is none.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../../scripts/bundle_presets.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.env.NESTPLAN_WASM ?? join(root, 'build/wasm');

export const glue = join(folder, 'nestplan.js');
export const native = process.env.NESTPLAN ?? join(root, 'build/release/nestplan');

// For `skip` of a test: false, or what is missing. Loud, because a skipped test proves nothing.
export function missing(...paths) {
  const absent = paths.filter((path) => !existsSync(path));
  if (absent.length === 0) return false;
  const reason = `NOT RUN: ${absent.join(' and ')} is not built (scripts/build native wasm)`;
  console.error(reason);
  return reason;
}

export async function loadModule() {
  const { default: create } = await import(pathToFileURL(glue).href);
  return create({ wasmBinary: readFileSync(join(folder, 'nestplan.wasm')) });
}

export async function loadPlanner() {
  const planner = await loadModule();
  const loaded = JSON.parse(planner.loadPresets(bundle()));
  if (loaded.ok !== true) throw new Error(`presets: ${JSON.stringify(loaded)}`);
  return planner;
}

// Runs a verb to its end, as the page does.
export function answerOf(planner, verb, input, pops = 1000) {
  const task = new planner.Task(verb, input);
  try {
    while (!JSON.parse(task.step(pops)).done);
    return task.result();
  } finally {
    task.delete();
  }
}
