// The order of names and of numbers. "layer2" comes before "layer10", and capital letters sort with small letters.

/** Returns a key by which names can be sorted. In the key, the count of digits precedes each number. */
export function orderKey(name: string): string {
  return name.toLowerCase().replace(/0*(\d+)/g, (_, digits: string) => String.fromCharCode(47 + Math.min(digits.length, 60_000)) + digits);
}

/** Compares numbers for a sort: the largest comes first, and unknown numbers (NaN) come last. Returns 0 for equal numbers. */
export function largestFirst(a: number, b: number): number {
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || b - a || 0;
}
