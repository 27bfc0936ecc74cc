// The size of the reader's text.
let scale = 0; // 0 = not measured in this frame

/** Returns the factor by which the reader's text is larger than usual. Elements that are placed by height use this factor. */
export function textScale(): number {
  if (scale === 0) {
    // Measuring forces a layout of pending changes, so it happens once per frame.
    scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
    requestAnimationFrame(() => (scale = 0));
  }
  return scale;
}
