// Our plans of the NEST artifact's instances beside its own, as one table.
//
//   NESTPLAN_SHARED=FOLDER node tests/golden/nest_table.mjs            print it
//   ... --timing    with our search time, which is no part of the golden file
//   ... --check     compare it with nest.txt; exit 1 on a difference
//   ... --update    write nest.txt
//
// FOLDER holds nest/answers.json, nest/instances and so on, which are not part of this repository.
// NESTPLAN names the binary when it is not build/release/nestplan.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const golden = join(here, 'nest.txt');
const binary = process.env.NESTPLAN ?? join(here, '../../build/release/nestplan');
const flags = new Set(process.argv.slice(2));
const timing = flags.has('--timing');

// {name, file, theirs, exact, seconds} of every published instance; null where there is no figure.
function publishedRows(root) {
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const answers = read('answers.json');
  const own = ['instances', 'instances_ms'].flatMap((folder) =>
    Object.entries(answers[folder]).map(([name, answer]) => ({
      name: `${folder}/${name}`,
      theirs: answer.artifact?.step ?? null,
      exact: answer.exact?.step ?? null,
      seconds: answer.artifact?.wall_s ?? null,
    })),
  );
  const random = Object.entries(read('random/answers.json').instances).map(([name, answer]) => ({
    name: `random/${name}`,
    theirs: answer.artifact_step,
    exact: answer.exact_step,
    seconds: null,
  }));
  return [...own, ...random].map((row) => ({ ...row, file: join(root, `${row.name}.json`) }));
}

function answer(files) {
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 };
  try {
    const text = execFileSync(binary, ['nest', ...files, '--json', '--timing'], options);
    return JSON.parse(text);
  } catch (error) {
    if (error.status !== 1) throw error; // 1: some instance has no plan; the answer is printed
    return JSON.parse(error.stdout);
  }
}

// One process for all, or one per instance when each one's search time is wanted.
function planned(rows) {
  if (!timing) {
    const plans = answer(rows.map((row) => row.file)).value;
    return rows.map((row, i) => ({ ...row, ours: plans[i].step, plan: plans[i] }));
  }
  return rows.map((row) => {
    const { value, timing: time } = answer([row.file]);
    return { ...row, ours: value[0].step, plan: value[0], milliseconds: time.search_s * 1e3 };
  });
}

const figure = (value) => (value === null ? '-' : value.toPrecision(10));
const ratio = (a, b) => (a === null || b === null ? '-' : (a / b).toFixed(4));

function table(rows) {
  const header = ['instance', 'ours', 'artifact', 'ratio', 'dp', 'tp', 'stages', 'artifact s'];
  if (timing) header.push('our ms');
  const lines = rows.map(({ name, ours, theirs, plan, seconds, milliseconds }) => {
    const shape = [plan.dp, plan.tp, plan.stages].map((value) => value ?? '-');
    const cells = [name, figure(ours), figure(theirs), ratio(theirs, ours), ...shape];
    cells.push(seconds === null ? '-' : seconds.toFixed(3));
    if (timing) cells.push(milliseconds.toFixed(3));
    return cells.map(String);
  });
  const all = [header, ...lines];
  const widths = header.map((_, i) => Math.max(...all.map((cells) => cells[i].length)));
  const pad = (cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]));
  return all.map((cells) => cells.map(pad).join('  ')).join('\n');
}

function summary(rows) {
  const feasible = rows.filter((row) => row.ours !== null);
  const off = rows.filter(({ ours, exact }) =>
    ours === null || exact === null ? ours !== exact : Math.abs(ours - exact) > 1e-9 * exact,
  );
  const both = feasible.filter((row) => row.theirs !== null);
  const slower = both.filter((row) => row.theirs > row.ours * (1 + 1e-9));
  const faster = both.filter((row) => row.theirs < row.ours * (1 - 1e-9));
  const lines = [
    `${rows.length} instances, ${feasible.length} with a plan, ${off.length} off the exact optimum (1e-9)`,
    `artifact: ${both.length} plans, ${slower.length} slower than ours, ${faster.length} faster, ` +
      `worst ratio ${Math.max(...both.map((row) => row.theirs / row.ours)).toFixed(4)}`,
  ];
  if (timing) {
    const times = rows.map((row) => row.milliseconds);
    const sum = times.reduce((total, time) => total + time, 0);
    lines.push(
      `our search: ${sum.toFixed(1)} ms in all, ${Math.max(...times).toFixed(3)} ms at most`,
    );
  }
  return lines.join('\n');
}

const note =
  "Step times in each instance's own unit under the NEST artifact's objective. ratio = artifact / ours.\n" +
  'artifact s = its search, as published; - = no plan, or not run.';

if (!process.env.NESTPLAN_SHARED) {
  console.error(
    'nest_table: NOT RUN: set NESTPLAN_SHARED to the folder that holds nest/answers.json',
  );
  process.exit(flags.has('--check') ? 0 : 2);
}
const rows = planned(publishedRows(join(process.env.NESTPLAN_SHARED, 'nest')));
const text = `${note}\n\n${table(rows)}\n\n${summary(rows)}\n`;
if (flags.has('--update')) {
  writeFileSync(golden, text);
} else if (flags.has('--check')) {
  if (text !== readFileSync(golden, 'utf8')) {
    console.error(
      'nest_table: the table differs from tests/golden/nest.txt; see git diff after --update',
    );
    process.exit(1);
  }
} else {
  process.stdout.write(text);
}
