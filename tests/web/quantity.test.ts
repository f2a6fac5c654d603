import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as q from '../../web/src/format/quantity.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e18, max: 1e18 });
const positive = fc.double({ noNaN: true, min: 1e-9, max: 1e18 });
const thin = q.thinSpace;

// What a shown number says, in the unit's own size.
const sizes: Readonly<Record<string, number>> = {
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  '': 1,
  k: 1e3,
  M: 1e6,
  T: 1e12,
};
function meaning({ number, unit }: q.Quantity): number {
  return Number(number.replaceAll(',', '').replace('\u2212', '-')) * (sizes[unit] ?? Number.NaN);
}
function digits(text: string): number {
  return text.replace(/[^0-9]/g, '').replace(/^0+/, '').length;
}

describe('counts', () => {
  test('are exact, with commas', () => {
    expect(q.count(16384)).toBe('16,384');
    expect(q.count(0)).toBe('0');
    expect(q.count(-1234567)).toBe('\u22121,234,567');
    expect(q.count(Number.NaN)).toBe('–');
  });
  test('read back as typed', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(q.parseNumber(q.count(value))).toBe(value);
      }),
    );
  });
});

describe('measures', () => {
  test('have three significant digits', () => {
    expect(q.significant(8.676)).toBe('8.68');
    expect(q.significant(966_412)).toBe('966,000');
    expect(q.significant(0.012345)).toBe('0.0123');
    expect(q.significant(9.999)).toBe('10.0');
    expect(q.significant(-45.91)).toBe('\u221245.9');
  });
  test('never show a minus before zero, an exponent or a plain hyphen', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(q.significant(value)).toMatch(/^\u2212?[\d,]+(\.\d+)?$/);
        expect(q.significant(value)).not.toMatch(/^\u2212[0.,]*$/);
      }),
    );
  });
  test('show within half a unit of the third digit', () => {
    fc.assert(
      fc.property(positive, (value) => {
        for (const shown of [q.seconds(value), q.bytes(value), q.tokens(value)]) {
          if (value < 1e-7 && shown.unit !== 'µs') continue; // under a byte or a token
          if (shown.unit === 'B') expect(meaning(shown)).toBe(Math.round(value));
          else expect(Math.abs(meaning(shown) / value - 1)).toBeLessThan(0.00501);
        }
      }),
    );
  });
  test('show no more than three digits that carry meaning', () => {
    fc.assert(
      fc.property(positive, (value) => {
        const { number } = q.seconds(value);
        if (value < 1e4) expect(digits(number.replace(/0+$/, ''))).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('units', () => {
  test('times are in µs, ms or s', () => {
    expect(q.plain(q.seconds(8.676))).toBe(`8.68${thin}s`);
    expect(q.plain(q.seconds(0.281))).toBe(`281${thin}ms`);
    expect(q.plain(q.seconds(34e-6))).toBe(`34.0${thin}µs`);
    expect(q.plain(q.seconds(0.9999))).toBe(`1.00${thin}s`);
    expect(q.seconds(0)).toEqual({ number: '0', unit: 'µs' });
  });
  test('a gigabyte is 1e9 bytes, a gibibyte 2^30', () => {
    expect(q.plain(q.gigabytes(46.8e9))).toBe(`46.8${thin}GB`);
    expect(q.plain(q.gibibytes(46.8e9))).toBe(`43.6${thin}GiB`);
    expect(q.plain(q.bytes(1.3e10))).toBe(`13.0${thin}GB`);
    expect(q.plain(q.bytes(999))).toBe(`999${thin}B`);
    expect(q.plain(q.bytes(999_999))).toBe(`1.00${thin}MB`);
  });
  test('tokens are in k, M and T', () => {
    expect(q.plain(q.tokens(15e12))).toBe(`15${thin}T`);
    expect(q.plain(q.tokens(131_072))).toBe(`131${thin}k`);
    expect(q.plain(q.tokens(8_388_608))).toBe(`8.39${thin}M`);
    expect(q.plain(q.tokens(3e11))).toBe(`0.3${thin}T`);
    expect(q.plain(q.tokenRate(966_412))).toBe(`966${thin}k tokens/s`);
    expect(q.plain(q.tokensPerSecond(966_412))).toBe(`966,000${thin}tokens/s`);
  });
  test('shares, money, days and link rates', () => {
    expect(q.plain(q.percent(0.4587))).toBe(`45.9${thin}%`);
    expect(q.plain(q.percent(1))).toBe(`100${thin}%`);
    expect(q.plain(q.percent(0.0001))).toBe(`<0.1${thin}%`);
    expect(q.plain(q.percent(0))).toBe(`0${thin}%`);
    expect(q.plain(q.dollars(11.03e6))).toBe(`$11.0${thin}M`);
    expect(q.plain(q.dollars(2.5))).toBe('$2.50');
    expect(q.plain(q.days(179.6))).toBe(`180${thin}days`);
    expect(q.plain(q.bandwidth(12.5e9))).toBe(`12.5${thin}GB/s`);
    expect(q.plain(q.bandwidth(450e9))).toBe(`450${thin}GB/s`);
  });
  test('what is not a number is a dash', () => {
    const shown = [q.seconds, q.bytes, q.tokens, q.percent].map((form) => form(Number.NaN).number);
    expect(shown).toEqual(['–', '–', '–', '–']);
  });
});

describe('columns', () => {
  test('share a unit and decimals', () => {
    const column = q.secondsColumn([6.789, 1.29, 0.07, 0.0001, 0]);
    expect(column).toEqual({ unit: 's', cells: ['6.79', '1.29', '0.07', '<0.01', '–'] });
  });
  test('never round a part to nothing', () => {
    fc.assert(
      fc.property(fc.array(positive, { minLength: 1, maxLength: 8 }), (values) => {
        for (const cell of q.gigabytesColumn(values).cells) expect(cell).not.toMatch(/^0(\.0*)?$/);
      }),
    );
  });
});

describe('typed numbers', () => {
  test('may have commas, spaces and suffixes', () => {
    const read = ['1,024', ' 15T ', `15${thin}T`, '8.2 k', '1e9', '-3', '.5', '\u22127'].map(
      q.parseNumber,
    );
    expect(read).toEqual([1024, 15e12, 15e12, 8200, 1e9, -3, 0.5, -7]);
  });
  test('are refused when they are not numbers', () => {
    const read = ['', 'abc', '1e', '0x10', '1.2.3', '12 apples', '1e999', 'NaN'].map(q.parseNumber);
    expect(read.every((value) => value === undefined)).toBe(true);
  });
  test('read back what an input field shows', () => {
    const values = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: 1e-12, max: 1e15 }));
    fc.assert(
      fc.property(values, (value) => {
        const back = q.parseNumber(q.editable(value));
        expect(back).toBeDefined();
        expect(Math.abs((back ?? 0) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-14);
      }),
    );
    expect(q.editable(15e12)).toBe(`15${thin}T`);
    expect(q.editable(1024)).toBe('1,024');
  });
});
