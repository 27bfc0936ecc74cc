// Names come from strangers. A control character that turns the direction of text would change what stands after a name, too.

/** The text with controls of direction written out: "a<U+202E>b". All else stays as it is. */
export function visible(name: string): string {
  return name.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `<U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}
