// Every number the page shows passes through here: three significant digits, GB = 1e9 bytes, thin
// spaces before units, a true minus. Counts are exact. Formats; never computes a result.

export interface Quantity {
  readonly number: string;
  readonly unit: string; // empty for a bare number
}

export const thinSpace = '\u202f'; // narrow and no-break
const minus = '\u2212';
const nothing = '–';

function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const commas = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? commas : `${commas}.${fraction}`;
}

function signed(value: number, digits: string): string {
  return value < 0 && /[1-9]/.test(digits) ? minus + digits : digits;
}

// Exact whole number: 16,384.
export function count(value: number): string {
  if (!Number.isFinite(value)) return nothing;
  const rounded = Math.round(value);
  return signed(rounded, grouped(Math.abs(rounded).toFixed(0)));
}

// With this many decimals: 1,234.50.
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return nothing;
  return signed(value, grouped(Math.abs(value).toFixed(decimals)));
}

// Decimals that leave `digits` significant digits (none for large numbers).
export function decimalsFor(value: number, digits = 3): number {
  const size = Math.abs(value);
  if (size === 0 || !Number.isFinite(size)) return 0;
  const exponent = Number(size.toExponential(digits - 1).split('e')[1]);
  return Math.min(12, Math.max(0, digits - 1 - exponent));
}

// Three significant digits: 8.68, 45.9, 966,000, 0.0123.
export function significant(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return nothing;
  return fixed(Number(value.toPrecision(digits)), decimalsFor(value, digits));
}

// With at most three significant digits, but whole numbers stay bare: 80, 79.6.
export function short(value: number): string {
  const text = significant(value);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

interface Step {
  readonly from: number; // smallest size shown in this unit
  readonly per: number; // what one unit is
  readonly unit: string;
}

// The step for a value, after rounding: 999.9 kB is 1.00 MB.
function pick(steps: readonly [Step, ...Step[]], value: number): Step {
  const size = Math.abs(Number(value.toPrecision(3)));
  return steps.findLast((step) => size >= step.from) ?? steps[0];
}

function scaled(steps: readonly [Step, ...Step[]], value: number): Quantity {
  if (!Number.isFinite(value)) return { number: nothing, unit: '' };
  const step = pick(steps, value);
  return { number: value === 0 ? '0' : significant(value / step.per), unit: step.unit };
}

const timeSteps = [
  { from: 0, per: 1e-6, unit: 'µs' },
  { from: 1e-3, per: 1e-3, unit: 'ms' },
  { from: 1, per: 1, unit: 's' },
] as const;
const byteSteps = [
  { from: 0, per: 1, unit: 'B' },
  { from: 1e3, per: 1e3, unit: 'kB' },
  { from: 1e6, per: 1e6, unit: 'MB' },
  { from: 1e9, per: 1e9, unit: 'GB' },
  { from: 1e12, per: 1e12, unit: 'TB' },
] as const;
const tokenSteps = [
  { from: 0, per: 1, unit: '' },
  { from: 1e3, per: 1e3, unit: 'k' },
  { from: 1e6, per: 1e6, unit: 'M' },
  { from: 1e10, per: 1e12, unit: 'T' },
] as const;
const moneySteps = [
  { from: 0, per: 1, unit: '' },
  { from: 1e3, per: 1e3, unit: 'k' },
  { from: 1e6, per: 1e6, unit: 'M' },
  { from: 1e9, per: 1e9, unit: 'B' },
] as const;

export function seconds(value: number): Quantity {
  return scaled(timeSteps, value);
}

export function bytes(value: number): Quantity {
  const q = scaled(byteSteps, value);
  return q.unit === 'B' ? { number: count(value), unit: 'B' } : q;
}

export function gigabytes(value: number): Quantity {
  return { number: value === 0 ? '0' : significant(value / 1e9), unit: 'GB' };
}

export function gibibytes(value: number): Quantity {
  return { number: significant(value / 2 ** 30), unit: 'GiB' };
}

// A link's rate, per device and direction.
export function bandwidth(value: number): Quantity {
  return { number: short(value / 1e9), unit: 'GB/s' };
}

// 15 T, 8.19 M, 131 k; whole multiples stay bare.
export function tokens(value: number): Quantity {
  if (!Number.isFinite(value)) return { number: nothing, unit: '' };
  const step = pick(tokenSteps, value);
  return { number: short(value / step.per), unit: step.unit };
}

// The headline's form: 966,000 tokens/s.
export function tokensPerSecond(value: number): Quantity {
  return { number: value === 0 ? '0' : significant(value), unit: 'tokens/s' };
}

// The figure's form: 966 k tokens/s.
export function tokenRate(value: number): Quantity {
  const q = scaled(tokenSteps, value);
  return { number: q.number, unit: q.unit === '' ? 'tokens/s' : `${q.unit} tokens/s` };
}

export function days(value: number): Quantity {
  return { number: significant(value), unit: 'days' };
}

export function dollars(value: number): Quantity {
  const q = scaled(moneySteps, value);
  return { number: `$${q.number}`, unit: q.unit };
}

// 45.9 %, 2.8 %, 100 %; a share too small to show is "<0.1 %".
export function percent(fraction: number): Quantity {
  if (!Number.isFinite(fraction)) return { number: nothing, unit: '' };
  const value = fraction * 100;
  const size = Math.abs(value);
  if (size > 0 && size < 0.05) return { number: '<0.1', unit: '%' };
  return { number: size === 0 ? '0' : fixed(value, Math.min(1, decimalsFor(value))), unit: '%' };
}

export interface Column {
  readonly unit: string;
  readonly cells: readonly string[];
}

// One unit and one number of decimals for a column, so that its numbers line up and compare; the
// largest has three significant digits. A value too small to show is "<0.01", a zero "–".
function column(steps: readonly [Step, ...Step[]], values: readonly number[]): Column {
  const largest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  const step = pick(steps, largest);
  const decimals = decimalsFor(largest / step.per);
  const least = 0.5 * 10 ** -decimals;
  const cells = values.map((value) => {
    if (value === 0 || !Number.isFinite(value)) return nothing;
    const shown = value / step.per;
    return Math.abs(shown) < least ? `<${(2 * least).toFixed(decimals)}` : fixed(shown, decimals);
  });
  return { unit: step.unit, cells };
}

export function secondsColumn(values: readonly number[]): Column {
  return column(timeSteps, values);
}

export function gigabytesColumn(values: readonly number[]): Column {
  return column([{ from: 0, per: 1e9, unit: 'GB' }], values);
}

// As one piece of text: 8.68 s.
export function plain(quantity: Quantity): string {
  const { number, unit } = quantity;
  return unit === '' ? number : number + thinSpace + unit;
}

const suffixes: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, B: 1e9, T: 1e12 };

// What a person types: 1,024, 15T, 8.2 k, 1e9. Undefined when it is not a number.
export function parseNumber(text: string): number | undefined {
  const bare = text.replace(/[\s,_\u2009\u202f]/g, '').replace(minus, '-');
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([kKMBT]?)$/.exec(bare);
  if (!match) return undefined;
  const [, digits = '', suffix = ''] = match;
  const value = Number(digits) * (suffixes[suffix === 'K' ? 'k' : suffix] ?? 1);
  return Number.isFinite(value) ? Number(value.toPrecision(15)) : undefined;
}

// The exact number for an input field: 1,024; 2.5; 15 T stays readable.
export function editable(value: number): string {
  if (value >= 1e11 && Number.isInteger(value / 1e9)) return `${value / 1e12}${thinSpace}T`;
  const size = Math.abs(value);
  return Number.isInteger(value) || size >= 1e-6
    ? signed(value, grouped(String(size)))
    : String(value);
}
