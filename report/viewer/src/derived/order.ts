// The order of names: "layer2" before "layer10", capital letters beside small ones.

/** Names are in order where their keys are: each number is led by how many digits it has. */
export function orderKey(name: string): string {
  return name.toLowerCase().replace(/0*(\d+)/g, (_, digits: string) => String.fromCharCode(47 + Math.min(digits.length, 60_000)) + digits);
}
