// Names are untrusted. A control character for the direction of text would also change the text after a name.

/** Returns the text with direction controls written out ("a<U+202E>b") and everything else unchanged. */
export function visible(name: string): string {
  return name.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `<U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}
