// What a stage holds, in words: "emb + 20".
import type { JsonObject } from '../base/json.ts';
import { count } from '../format/quantity.ts';
import type { Context } from './context.ts';

export function layersText({ t }: Context, layers: JsonObject): string {
  const blocks = typeof layers.blocks === 'number' ? count(layers.blocks) : '';
  return [
    layers.embedding === true ? t.memoryFigure.embedding : '',
    blocks,
    layers.head === true ? t.memoryFigure.head : '',
  ]
    .filter((text) => text !== '')
    .join(' + ');
}
