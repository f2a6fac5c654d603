// Stands in for the WebAssembly module: the same surface, a fixed plan after some steps.
import { getAt, isObject, parseJson } from '../../../web/src/base/json.ts';
import type { CreatePlanner, PlannerTask } from '../../../web/src/worker/facade.ts';
import { infeasible, plan } from './plan.ts';
import { schema } from './schema.ts';

class Task implements PlannerTask {
  private left = 40;
  private readonly request: string;

  constructor(_verb: string, request: string) {
    this.request = request;
  }

  step(_pops: number): string {
    const until = performance.now() + 20;
    while (performance.now() < until);
    this.left -= 1;
    return JSON.stringify({
      done: this.left <= 0,
      best: 9,
      bound_s: 8.7,
      gap: this.left / 100,
      pops: 10,
    });
  }

  result(): string {
    const devices = getAt(parseJson(this.request), '/cluster/devices');
    if (devices === 666) throw new WebAssembly.RuntimeError('unreachable');
    if (typeof devices === 'number' && devices > 1_048_576) {
      const error = { path: '/cluster/devices', code: 'range', message: 'At most 1,048,576.' };
      return JSON.stringify({ ok: false, errors: [error] });
    }
    const small = typeof devices === 'number' && devices < 64;
    return JSON.stringify({ ok: true, value: small ? infeasible : plan });
  }

  delete(): void {}
}

export const createFake: CreatePlanner = async () => ({
  loadPresets: (bundle) => JSON.stringify({ ok: isObject(parseJson(bundle)) }),
  schema: () => JSON.stringify(schema),
  version: () => '0.0-fake',
  Task,
});
// biome-ignore lint/style/noDefaultExport: the form of an Emscripten module
export { createFake as default };
