// A hand-made plan in the core's shape, for tests of the page that need no core.
import type { Config, Infeasible, Memory, Plan } from '../../../web/src/base/answer.ts';

const memory = (parts: readonly number[]): Memory => {
  const [weights = 0, gradients = 0, optimizer = 0, activations = 0, logits = 0, buffers = 0] =
    parts.map((gigabytes) => gigabytes * 1e9);
  const reserve = 2e9;
  return {
    weights_bytes: weights,
    gradients_bytes: gradients,
    optimizer_bytes: optimizer,
    activations_bytes: activations,
    logits_bytes: logits,
    buffers_bytes: buffers,
    reserve_bytes: reserve,
    total_bytes: weights + gradients + optimizer + activations + logits + buffers + reserve,
  };
};

export const config: Config = {
  tp: 8,
  sp: true,
  cp: 1,
  ep: 1,
  etp: 1,
  dp: 32,
  pp: 4,
  vpp: 5,
  mbs: 1,
  micro_batches: 32,
  zero: 1,
  recompute: { kind: 'selective' },
  order: 'tp-cp-ep-dp-pp',
  schedule: 'interleaved',
  devices_used: 1024,
  devices_idle: 0,
};

const parts = {
  forward_s: 2.21,
  backward_s: 4.42,
  recompute_s: 0.16,
  tensor_parallel_s: 1.29,
  context_parallel_s: 0,
  expert_parallel_s: 0,
  pipeline_s: 0.07,
  data_parallel_s: 0,
  host_s: 0.02,
  bubble_s: 0.22,
  growth_s: 0.04,
  data_parallel_sync_s: 0.15,
  tied_embedding_sync_s: 0,
  optimizer_s: 0.08,
  fixed_s: 0.02,
};
const total = Object.values(parts).reduce((sum, part) => sum + part, 0);

const request = {
  format: 'nestplan.request/1',
  model: { name: 'Llama 3 70B', layers: 80, hidden_size: 8192, heads: 64, kv_heads: 8 },
  cluster: {
    name: 'H100 spine-leaf, 4:1 oversubscribed',
    devices: 1024,
    accelerator: { name: 'H100', price_per_hour_usd: 2.5 },
    levels: [
      { name: 'NVLink', arity: 8, bandwidth_bytes_per_s: 450e9 },
      { name: 'leaf', arity: 32, bandwidth_bytes_per_s: 50e9 },
      { name: 'spine', arity: 4, bandwidth_bytes_per_s: 12.5e9 },
    ],
  },
  training: { global_batch_sequences: 1024, sequence_length: 8192, tokens: 15e12 },
};

export const plan: Plan = {
  request,
  feasible: true,
  config,
  step: { total_s: total, low_s: total * 0.93, high_s: total * 1.07, parts },
  throughput: { tokens_per_s: 966_412, tokens_per_s_per_device: 943.8, mfu: 0.4587, hfu: 0.4591 },
  memory: { worst_stage: 0, peak_bytes: 46.8e9, usable_bytes: 79.6e9 },
  days: 179.6,
  cost: 11.03e6,
  stages: [
    {
      layers: { blocks: 20, embedding: true, head: false },
      memory: memory([4.4, 8.8, 0.8, 26.4, 0, 2.4]),
    },
    {
      layers: { blocks: 20, embedding: false, head: false },
      memory: memory([4.3, 8.6, 0.8, 24.1, 0, 2.4]),
    },
    {
      layers: { blocks: 20, embedding: false, head: false },
      memory: memory([4.3, 8.6, 0.8, 21.8, 0, 2.4]),
    },
    {
      layers: { blocks: 20, embedding: false, head: true },
      memory: memory([4.4, 8.8, 0.8, 19.5, 1.2, 2.4]),
    },
  ],
  communication: [
    {
      what: 'tensor parallel',
      level: 'NVLink',
      form: 'ring',
      bytes: 2.1e11,
      exposed_s: 1.29,
      hidden_s: 0.43,
    },
    {
      what: 'data parallel',
      level: 'spine',
      form: 'hierarchical',
      bytes: 1.3e10,
      exposed_s: 0.15,
      hidden_s: 0.16,
    },
  ],
  alternatives: [
    {
      config: { ...config, pp: 8, vpp: 2, dp: 16 },
      step_s: 8.9,
      tokens_per_s: 943_000,
      mfu: 0.44,
      peak_bytes: 41e9,
      usable_bytes: 79.6e9,
    },
  ],
  search: { proved_optimal: true, gap: 0, candidates: 18_432, pruned: 17_900 },
  warnings: [],
};

export const infeasible: Infeasible = {
  feasible: false,
  reason: {
    stage: 0,
    part: 'optimizer',
    bytes_over: 45e9,
    text: 'Stage 0 needs 125 GB of 80 GB; optimizer state alone is 76.1 GB.',
  },
  nearest: [
    {
      change: 'use 128 devices instead of 64',
      summary: {
        config,
        step_s: 20,
        tokens_per_s: 15_100,
        mfu: 0.3,
        peak_bytes: 69.2e9,
        usable_bytes: 80e9,
      },
    },
  ],
};
