// The order of names: "layer2" comes before "layer10", and capital letters sort with small letters.

/** Returns a key by which names can be sorted. In the key, the count of digits precedes each number. */
export function orderKey(name: string): string {
  return name.toLowerCase().replace(/0*(\d+)/g, (_, digits: string) => String.fromCharCode(47 + Math.min(digits.length, 60_000)) + digits);
}
