// Formats numbers as text. NaN (unknown) becomes a dash everywhere.
const kGrouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const kUnknown = '–';

export function integer(value: number): string {
  return Number.isFinite(value) ? kGrouped.format(value).replace('-', '−') : kUnknown;
}

/** Formats a count with its noun: "1 tile", "1,472 tiles". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${integer(count)} ${count === 1 ? noun : plural}`;
}

/** Formats bytes as "12,345 B". */
export function bytes(value: number): string {
  return Number.isFinite(value) ? `${integer(value)} B` : kUnknown;
}

/** Formats bytes with three digits and a binary prefix, for axes and headlines: "1.25 MiB". */
export function shortBytes(value: number): string {
  if (!Number.isFinite(value)) return kUnknown;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let scaled = Math.abs(value);
  while (scaled >= 1024 && unit + 1 < units.length) {
    scaled /= 1024;
    ++unit;
  }
  const digits = unit === 0 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
  return `${value < 0 ? '−' : ''}${scaled.toFixed(digits).replace(/\.0+$/, '')} ${units[unit]}`;
}

/** Formats a number with three digits and a decimal prefix: "270 k". */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return kUnknown;
  const units = ['', ' k', ' M', ' G', ' T'];
  let unit = 0;
  let scaled = Math.abs(value);
  while (scaled >= 1000 && unit + 1 < units.length) {
    scaled /= 1000;
    ++unit;
  }
  const digits = unit === 0 ? (Number.isInteger(scaled) ? 0 : 2) : scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
  return `${value < 0 ? '−' : ''}${scaled.toFixed(digits).replace(/\.0+$/, '')}${units[unit]}`;
}

/** Formats a number with its sign, plus or minus: "+12", "−3". */
export function signed(value: number): string {
  return (value > 0 ? '+' : '') + integer(value);
}

/** Shortens a text to at most `most` characters. Leaves out the middle, because names of a program differ at their ends. */
export function middle(text: string, most: number): string {
  const letters = Array.from(text);
  if (letters.length <= most) return text;
  const half = (most - 1) / 2;
  return `${letters.slice(0, Math.ceil(half)).join('')}…${letters.slice(letters.length - Math.floor(half)).join('')}`;
}

/** Shortens a text to a width, as middle() does. Returns an empty text if less than three characters fit. */
export function fitted(text: string, room: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= room) return text;
  let [low, high] = [2, Array.from(text).length - 1]; // `low` characters fit, more than `high` do not
  while (low < high) {
    const most = (low + high + 1) >> 1;
    if (widthOf(middle(text, most)) <= room) low = most;
    else high = most - 1;
  }
  return low < 3 ? '' : middle(text, low);
}

/** Formats a share in percent with one decimal. A share other than 0 is never shown as 0. */
export function percent(part: number, whole: number): string {
  if (!Number.isFinite(part) || !Number.isFinite(whole) || whole === 0) return kUnknown;
  const value = (100 * part) / whole;
  if (value > 0 && value < 0.05) return '<0.1 %';
  if (value < 0 && value > -0.05) return '>-0.1 %';
  return `${value.toFixed(1)} %`;
}

/** Returns a share in percent, rounded to three decimals; NaN if unknown. */
export function percentNumber(part: number, whole: number): number {
  return whole === 0 ? NaN : Math.round((1e5 * part) / whole) / 1e3;
}

/** Formats cycles at a clock in Hz as a time: "0.17 ms". */
export function duration(cycles: number, clockHz: number): string {
  if (!Number.isFinite(cycles) || !(clockHz > 0)) return kUnknown;
  const seconds = cycles / clockHz;
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  if (seconds >= 1e-3) return `${(seconds * 1e3).toFixed(2)} ms`;
  return `${(seconds * 1e6).toFixed(seconds >= 1e-5 ? 0 : 1)} µs`;
}

/** Formats ascending numbers as "3, 5–9", with at most `most` parts. */
export function ranges(values: readonly number[], most = 12): string {
  const parts: string[] = [];
  for (let i = 0; i < values.length;) {
    let end = i + 1;
    while (end < values.length && values[end] === (values[end - 1] ?? 0) + 1) ++end;
    if (parts.length === most) return `${parts.join(', ')}, … (${integer(values.length)} in all)`;
    parts.push(end - i > 1 ? `${values[i]}–${values[end - 1]}` : `${values[i]}`);
    i = end;
  }
  return parts.join(', ');
}

/** Formats all numbers in the form of a fragment: "3,5-9". */
export function rangeList(values: readonly number[]): string {
  return ranges(values, Infinity).replace(/ /g, '').replace(/–/g, '-');
}

/** Returns the parts of a list such as "3, 5-9" as half-open intervals; null if the text is not such a list. */
function parseParts(input: string): (readonly [from: number, end: number])[] | null {
  if (input === '') return [];
  const parts = input.split(',').map((word) => {
    const match = /^\s*(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?\s*$/.exec(word);
    return [Number(match?.[1] ?? NaN), Number(match?.[2] ?? match?.[1] ?? NaN) + 1] as const;
  });
  return parts.every(([from, end]) => from < end) ? parts : null;
}

/** Returns the numbers of a list such as "3, 5-9" that are below `limit`, ascending; null if the text is not such a list. */
export function parseRanges(input: string, limit: number): number[] | null {
  const parts = parseParts(input);
  if (!parts) return null;
  const out = new Set<number>();
  for (const [from, end] of parts) for (let i = from; i < end && i < limit; ++i) out.add(i);
  return [...out].sort((a, b) => a - b);
}

/**
 * Returns the steps of a list ("2-9,40") that lie outside the steps [first, end) of a run. The result has ascending half-open intervals;
 * null if the text is not a list of steps.
 */
export function stepsOutside(list: string, first: number, end: number): (readonly [number, number])[] | null {
  const asked = parseParts(list);
  if (!asked) return null;
  const outside: [number, number][] = [];
  for (const [from, to] of asked.sort((a, b) => a[0] - b[0]))
    for (const part of [
      [from, Math.min(to, first)],
      [Math.max(from, end), to],
    ] as const) {
      const last = outside[outside.length - 1];
      if (part[0] >= part[1]) continue;
      if (last && part[0] <= last[1] && part[0] >= last[0]) last[1] = Math.max(last[1], part[1]);
      else outside.push([part[0], part[1]]);
    }
  return outside.sort((a, b) => a[0] - b[0]);
}
