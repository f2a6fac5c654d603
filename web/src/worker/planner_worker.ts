// The worker: loads the WebAssembly module and the presets, then runs one task at a time.
import createPlanner from '../../../build/wasm/nestplan.js';
import { isObject, parseJson } from '../base/json.ts';
import type { Planner } from './facade.ts';
import type { Catalogue, FromWorker, ToWorker } from './protocol.ts';
import { runTask } from './slices.ts';

interface Port {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  reportError(error: unknown): void;
}
const port = self as unknown as Port;

const wasmUrl = new URL('../../../build/wasm/nestplan.wasm', import.meta.url).href;
const presetsUrl = new URL('../../../build/presets.json', import.meta.url).href;

function readCatalogue(planner: Planner, bundle: string): Catalogue {
  const loaded = parseJson(planner.loadPresets(bundle));
  if (!isObject(loaded) || loaded.ok !== true) throw new Error('the presets were not accepted');
  const schema = parseJson(planner.schema());
  const presets = parseJson(bundle);
  if (!isObject(schema) || !isObject(presets)) throw new Error('no schema or no presets');
  return { version: planner.version(), schema, presets } as unknown as Catalogue;
}

async function load(): Promise<Planner> {
  const [planner, bundle] = await Promise.all([
    createPlanner({ locateFile: (name) => (name.endsWith('.wasm') ? wasmUrl : name) }),
    fetch(presetsUrl).then((response) => {
      if (!response.ok) throw new Error(`presets: HTTP ${response.status}`);
      return response.text();
    }),
  ]);
  port.postMessage({ kind: 'ready', catalogue: readCatalogue(planner, bundle) });
  return planner;
}

const loading = load();
loading.catch((error: unknown) => port.postMessage({ kind: 'failed', message: String(error) }));

type Wanted = 'run' | 'stop' | 'cancel';
const wanted = new Map<number, Wanted>(); // per task, from its arrival to its end
let queue = Promise.resolve();

// A macrotask, without the 4 ms that browsers add to nested timers.
const channel = new MessageChannel();
function breathe(): Promise<void> {
  return new Promise((done) => {
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(undefined);
  });
}

async function run({ id, verb, request }: Extract<ToWorker, { kind: 'run' }>): Promise<void> {
  const planner = await loading;
  const text = await runTask(planner, verb, request, {
    wanted: () => wanted.get(id) ?? 'cancel',
    breathe,
    now: () => performance.now(),
    report: (progress) => port.postMessage({ kind: 'progress', id, progress }),
  });
  wanted.delete(id);
  port.postMessage(text === undefined ? { kind: 'cancelled', id } : { kind: 'answer', id, text });
}

port.onmessage = ({ data }) => {
  if (data.kind === 'run') {
    wanted.set(data.id, 'run');
    // A trap leaves the module in an unknown state: report it as the worker's own error.
    queue = queue.then(() => run(data)).catch((error: unknown) => port.reportError(error));
  } else if (wanted.has(data.id)) {
    wanted.set(data.id, data.kind);
  }
};
