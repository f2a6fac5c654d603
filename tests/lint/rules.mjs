// The house's layering (STYLE, layout rules) as functions from sources to faults, so that the test
// can be run on the repository and on samples that must fail.
import { dirname, join, normalize } from 'node:path/posix';

export const rooms = [
  'base',
  'model',
  'topology',
  'cost',
  'search',
  'baselines',
  'plan',
  'io',
  'cli',
];

// Headers that reach outside the process or differ between machines.
const outside = new Set([
  'chrono',
  'cstdio',
  'ctime',
  'filesystem',
  'fstream',
  'iostream',
  'mutex',
  'random',
  'stdio.h',
  'thread',
  'time.h',
  'unistd.h',
]);

const libmCall =
  /(?<![\w.>])(?:std::)?(log|log2|log10|log1p|exp|exp2|expm1|pow|cbrt|sin|cos|tan|tanh|lgamma|hypot)f?\s*\(/g;

function includes(text) {
  return [...text.matchAll(/^\s*#\s*include\s*([<"])([^>"]+)[>"]/gm)].map((match) => ({
    quoted: match[1] === '"',
    name: match[2],
  }));
}

// Without comments and string literals, so that prose may name a function.
function code(text) {
  return text.replace(/\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"/g, ' ');
}

function includeFault(room, { quoted, name }) {
  const mayUseJson = ['io', 'cli', 'wasm'].includes(room);
  if (name.startsWith('nlohmann/')) return mayUseJson ? undefined : 'only io knows JSON';
  if (name.startsWith('emscripten')) return room === 'wasm' ? undefined : 'only wasm/ may';
  if (quoted) {
    const target = name.split('/')[0];
    if (room === 'wasm' && !name.includes('/')) return undefined;
    const order = rooms.indexOf(target);
    const own = room === 'wasm' ? rooms.indexOf('cli') - 1 : rooms.indexOf(room);
    if (order < 0) return 'not a room of core/';
    return order > own ? `${room} comes before ${target}` : undefined;
  }
  if (outside.has(name) && room !== 'cli') return 'core/ touches no file, clock or console';
  return undefined;
}

// Faults of one C++ source; path is relative to the repository, with forward slashes.
export function cppFaults(path, text) {
  const [top, second] = path.split('/');
  const room = top === 'wasm' ? 'wasm' : second;
  const faults = [];
  if (room !== 'wasm' && !rooms.includes(room)) faults.push(`${path}: not a room of core/`);
  for (const include of includes(text)) {
    const fault = includeFault(room, include);
    if (fault) faults.push(`${path}: includes ${include.name}: ${fault}`);
  }
  for (const [call] of code(text).matchAll(libmCall)) {
    faults.push(`${path}: ${call}): use base/math.h, the C library differs between machines`);
  }
  return faults;
}

// Web folders, in the order in which they may be used; what has no folder here comes last.
export const webOrder = ['base', 'format', 'generated', 'worker', 'store', 'charts', 'views'];
const webPackages = /^(lit|d3-scale)(\/|$)/;

function webLayer(path) {
  const relative = path.slice('web/src/'.length);
  const folder = relative.includes('/') ? relative.split('/')[0] : '';
  const at = webOrder.indexOf(folder);
  return at < 0 ? webOrder.length : at;
}

// Faults of one TypeScript source of web/src.
export function webFaults(path, text) {
  const faults = [];
  const imports = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)['"]([^'"]+)['"]/g);
  for (const [, name] of imports) {
    if (!name.startsWith('.')) {
      if (!webPackages.test(name)) faults.push(`${path}: imports ${name}: not lit or d3-scale`);
      continue;
    }
    const target = normalize(join(dirname(path), name));
    if (target.startsWith('web/src/') && webLayer(target) > webLayer(path)) {
      faults.push(`${path}: imports ${target}, which comes after it`);
    }
  }
  return faults;
}

// Faults of length: path to the most lines it may have.
export function lengthFaults(path, text) {
  const lines = text.split('\n').length - 1;
  const most = path.startsWith('wasm/') && path.endsWith('.cpp') ? 149 : 399;
  return lines > most ? [`${path}: ${lines} lines, at most ${most}`] : [];
}
