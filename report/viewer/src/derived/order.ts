// The order of names: "layer2" comes before "layer10", and capital letters sort with small letters.

/** Returns a key whose order is the order of names: each number begins with its count of digits. */
export function orderKey(name: string): string {
  return name.toLowerCase().replace(/0*(\d+)/g, (_, digits: string) => String.fromCharCode(47 + Math.min(digits.length, 60_000)) + digits);
}
