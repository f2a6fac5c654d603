import { describe, expect, test, vi } from 'vitest';
import type { Planner } from '../../web/src/worker/facade.ts';
import { nextPops, runTask, type TaskControl } from '../../web/src/worker/slices.ts';

// A planner whose task needs `work` pops, at `popMs` each of a clock of its own.
function setUp(work: number, popMs: number) {
  const slices: number[] = [];
  const deleted = vi.fn();
  let clock = 0;
  let left = work;
  class Task {
    step(pops: number): string {
      slices.push(pops * popMs);
      clock += pops * popMs;
      left -= pops;
      return JSON.stringify({ done: left <= 0, best: null, bound_s: 0, gap: 1, pops });
    }
    result(): string {
      return left <= 0 ? 'complete' : 'best so far';
    }
    delete = deleted;
  }
  const planner = { Task } as unknown as Planner;
  const report = vi.fn();
  const control = (wanted: TaskControl['wanted']): TaskControl => ({
    wanted,
    breathe: () => Promise.resolve(),
    now: () => clock,
    report,
  });
  return { planner, control, slices, deleted, report };
}

describe('slices', () => {
  test('grow towards 8 ms and never to nothing', () => {
    expect(nextPops(16, 1)).toBe(32);
    expect(nextPops(1000, 16)).toBe(500);
    expect(nextPops(16, 0)).toBe(32);
    expect(nextPops(1, 5000)).toBe(1);
  });

  test('settle near 8 ms and run to the end', async () => {
    const { planner, control, slices, deleted, report } = setUp(20_000, 0.05);
    await expect(
      runTask(
        planner,
        'plan',
        '{}',
        control(() => 'run'),
      ),
    ).resolves.toBe('complete');
    expect(Math.max(...slices)).toBeLessThanOrEqual(8);
    expect(slices.filter((ms) => ms > 4).length).toBeGreaterThan(slices.length * 0.9);
    expect(report.mock.calls.length).toBeLessThan(slices.length / 5);
    expect(deleted).toHaveBeenCalledOnce();
  });

  test('stop with the best so far, cancel with nothing; both free the task', async () => {
    for (const [wish, answer] of [
      ['stop', 'best so far'],
      ['cancel', undefined],
    ] as const) {
      const { planner, control, slices, deleted } = setUp(1e9, 1);
      const wanted = () => (slices.length < 3 ? 'run' : wish);
      await expect(runTask(planner, 'plan', '{}', control(wanted))).resolves.toBe(answer);
      expect(slices).toHaveLength(3);
      expect(deleted).toHaveBeenCalledOnce();
    }
  });
});
