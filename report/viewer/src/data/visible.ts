// Names are untrusted: they can have control characters, or bytes that are no text. The page shows them as the commands do
// (base/ShownText.hpp), so a name has the same text on the page and in every command.

/**
 * Characters that control a terminal or change the text after them: control characters, marks of the direction of text, separators of lines
 * and paragraphs, and the byte order mark.
 */
// eslint-disable-next-line no-control-regex
const kControls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const escaped = (bytes: Iterable<number>): string => Array.from(bytes, (b) => `\\x${b.toString(16).padStart(2, '0')}`).join('');

/** Returns the text with \xNN in place of each byte of the characters of kControls. */
export function visible(name: string): string {
  return name.replace(kControls, (c) => escaped(new TextEncoder().encode(c)));
}

/** Returns the number of bytes of the UTF-8 character at `at`; 0 = the byte there is not UTF-8. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const rest = bytes.subarray(at + 1, at + length);
  if (length === 0 || rest.length + 1 < length || rest.some((b) => (b & 0xc0) !== 0x80)) return 0;
  const code = rest.reduce((sum, b) => (sum << 6) | (b & 0x3f), length === 1 ? first : first & (0xff >> (length + 1)));
  const tooLong = (length === 3 && code < 0x800) || (length === 4 && code < 0x10000);
  return tooLong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : length;
}

const kDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
const kReplaced = '\ufffd'; // the decoder puts this character in place of bytes that are not UTF-8

/** Returns whether a decoded text may lack bytes that are not UTF-8. */
export const mayLackBytes = (decoded: string): boolean => decoded.includes(kReplaced);

/** Decodes UTF-8, with \xNN in place of each byte that is not UTF-8. */
export function utf8(bytes: Uint8Array): string {
  const whole = kDecoder.decode(bytes);
  if (!mayLackBytes(whole)) return whole;
  let out = '';
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    out += length === 0 ? escaped([bytes[at] ?? 0]) : kDecoder.decode(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return out;
}
