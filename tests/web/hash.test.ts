import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../web/src/base/json.ts';
import { maxHashLength, readHash, writeHash } from '../../web/src/store/hash.ts';

const format = 'nestplan.request/1';
const back = (request: JsonObject) => readHash(`#${writeHash(request)}`, format);

describe('the hash', () => {
  test('is short and readable', () => {
    const request = {
      format,
      model: { preset: 'llama-3-70b' },
      cluster: { preset: 'h100-spine-leaf', devices: 1024 },
      search: { pins: { tp: 8, recompute: 'full', sp: true } },
    };
    expect(writeHash(request)).toBe(
      'v=1&model.preset=llama-3-70b&cluster.preset=h100-spine-leaf&cluster.devices=1024' +
        '&search.pins.tp=8&search.pins.recompute=full&search.pins.sp=true',
    );
    expect(back(request)).toEqual({ kind: 'request', request });
  });

  test('gives back any request', () => {
    const keys = fc.string({ minLength: 1, maxLength: 6 }).filter((key) => key !== '__proto__');
    const json = fc.letrec((tie) => ({
      leaf: fc.oneof(
        fc.boolean(),
        fc.integer(),
        fc.string(),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x || 0),
      ),
      node: fc.oneof(
        { depthSize: 'small' },
        tie('leaf'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(keys, json, { maxKeys: 4 }), (inner) => {
        const request = JSON.parse(JSON.stringify({ ...inner, format })) as JsonObject;
        const hash = writeHash(request);
        fc.pre(hash.length <= maxHashLength);
        expect(readHash(hash, format)).toEqual({ kind: 'request', request });
      }),
    );
  });

  test('is refused when it is too long, of another version, or not one', () => {
    const fault = (hash: string) => readHash(hash, format);
    expect(fault('')).toEqual({ kind: 'empty' });
    expect(fault('#')).toEqual({ kind: 'empty' });
    expect(fault(`#v=1&a=${'x'.repeat(maxHashLength)}`)).toEqual({
      kind: 'fault',
      fault: 'too-long',
    });
    expect(fault('#v=2&model.preset=x')).toEqual({ kind: 'fault', fault: 'version' });
    for (const hash of [
      '#answer',
      '#v=1&=3',
      '#v=1&a',
      '#v=1&a=1&a=2',
      '#v=1&a=1&a.b=2',
      '#v=1&a=%',
    ]) {
      expect(fault(hash)).toEqual({ kind: 'fault', fault: 'malformed' });
    }
  });

  test('cannot reach an object prototype', () => {
    expect(readHash('#v=1&__proto__.polluted=1', format).kind).toBe('fault');
    expect(readHash('#v=1&a.__proto__.polluted=1', format).kind).toBe('fault');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const read = readHash('#v=1&constructor.prototype.polluted=1', format);
    expect(read.kind).toBe('request');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readHash(`#v=1&${text}`, format)).toHaveProperty('kind');
      }),
    );
  });
});
