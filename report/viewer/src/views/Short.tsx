// Names in tables and cards, shortened in the middle to the space that they have.
import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { fitted, middle } from '../derived/format';
import { textWidth } from '../draw/names';
import { textScale } from './textScale';

/** The maximum width of the contents of a table's cell, in pixels. */
export const CellRoom = createContext(Infinity);

/** Maximum number of letters of a name in a table or a choice; the tooltip shows the whole name. */
export const kMaxName = 48;

const kSize = 14; // pixels, the font size of the page at the usual text size

/** Shortens a name in the middle to `most` letters and to `room` pixels. */
export function shortened(name: string, most: number, room: number): string {
  const size = kSize * textScale();
  const text = middle(name, most);
  if (text.length * size <= room) return text; // fits even if all letters are wide, so there is nothing to measure
  return fitted(text, Math.max(room, 4 * size), (part) => textWidth(part, size)) || middle(name, 3);
}

/** Returns the width of a text of the page in pixels. */
export const widthOnPage = (text: string): number => textWidth(text, kSize * textScale());

/**
 * A name, isolated from the direction of the text around it. It has at most `most` letters, and fits in the cell of a table next to
 * `beside` pixels of other contents. If the name is shortened, the tooltip shows the whole name.
 */
export function Short(props: { readonly name: string; readonly most?: number; readonly beside?: number }): JSX.Element {
  const room = useContext(CellRoom);
  const text = shortened(props.name, props.most ?? kMaxName, room - (props.beside ?? 0) * textScale());
  return <bdi title={text === props.name ? undefined : props.name}>{text}</bdi>;
}
