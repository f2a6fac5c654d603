// A small request schema of the core's kind.
import type { JsonObject } from '../../../web/src/base/json.ts';

const count = (title: string, unit: string, minimum: number, maximum: number) => ({
  type: 'integer',
  title,
  description: `${title}, for tests.`,
  'x-unit': unit,
  minimum,
  maximum,
});
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

export const schema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...object({
    format: { const: 'nestplan.request/1' },
    model: {
      anyOf: [
        { $ref: '#/$defs/preset' },
        object({ name: { type: 'string' }, layers: count('Layers', '', 1, 1e4) }),
      ],
    },
    cluster: object({ preset: { type: 'string' }, devices: count('Devices', '', 1, 1_048_576) }),
    training: object({
      global_batch_sequences: { ...count('Global batch', 'sequences', 1, 1e7), default: 1024 },
      sequence_length: count('Sequence length', 'tokens', 1, 1e8),
      tokens: { type: 'number', title: 'Train for', 'x-unit': 'tokens', minimum: 0 },
    }),
    stack: object({ preset: { type: 'string', default: 'megatron-core' } }),
    search: object({
      pins: object({
        tp: count('Tensor parallel', '', 1, 1024),
        pp: count('Pipeline stages', '', 1, 1024),
        recompute: { enum: ['none', 'selective', 'full'], title: 'Recompute' },
        sp: { type: 'boolean', title: 'Sequence parallel' },
        stage_layers: { type: 'array', items: { type: 'integer' } },
      }),
    }),
  }),
  $defs: { preset: object({ preset: { type: 'string' } }) },
};
