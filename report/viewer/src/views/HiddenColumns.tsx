// Measures a table: a line below a wide table lists the columns outside the visible part, and names are shortened to the width of a cell.
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Returns the titles of the columns whose right end is cut off. A column of numbers has its digits at the right end. */
function titlesOutside(box: HTMLElement): string {
  const end = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth; // without the scroll bar
  const cells = [...box.querySelectorAll<HTMLElement>('thead th')];
  const hidden = cells.filter((cell) => {
    const padding = parseFloat(getComputedStyle(cell.firstElementChild ?? cell).paddingRight);
    return cell.getBoundingClientRect().right - padding > end + 0.5;
  });
  return hidden.map((cell) => cell.dataset.title ?? '').join(', ');
}

/**
 * Returns the width of the contents of a cell for each column: the maximum width of a cell, or more if the table has space left. A name
 * that is shortened to this width does not make its column narrower.
 */
function roomsOf(box: HTMLElement): readonly number[] {
  return [...(box.querySelector('tbody tr:not([aria-hidden])')?.children ?? [])].map((cell) => {
    const { maxWidth, paddingLeft, paddingRight } = getComputedStyle(cell);
    return Math.max(parseFloat(maxWidth) || Infinity, cell.clientWidth) - parseFloat(paddingLeft) - parseFloat(paddingRight);
  });
}

export function HiddenColumns(props: {
  readonly box: RefObject<HTMLElement>;
  readonly onRooms: (rooms: readonly number[]) => void; // pixels for the contents of a cell of each column
}): JSX.Element | null {
  const { box, onRooms } = props;
  const [titles, setTitles] = useState('');
  useLayoutEffect(() => {
    const element = box.current;
    const table = element?.querySelector('table');
    if (!element || !table) return;
    const look = () => {
      setTitles(titlesOutside(element));
      onRooms(roomsOf(element));
    };
    const observer = new ResizeObserver(look); // runs after the layout, so measuring does not cause another layout
    observer.observe(element);
    observer.observe(table);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return titles === '' ? null : <p class="hint morecolumns">Scroll right → {titles}</p>;
}
