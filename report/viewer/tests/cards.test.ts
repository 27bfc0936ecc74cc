// The cards of the first view: each table that a sentence names is drawn, and no row is left out without a word.
import type { ComponentChildren, VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import type { Answer, AnswerTable as Answered } from '../src/data/answers';
import type { Profile } from '../src/data/profile';
import { Card } from '../src/views/common';
import { Table } from '../src/views/Table';
import { AnswerTable } from '../src/views/verdict/AnswerTable';
import { CureCard } from '../src/views/verdict/CureCards';

/** Returns the texts and the labels of the tables of a card, in their order on the page. */
function contents(node: ComponentChildren): string[] {
  if (Array.isArray(node)) return node.flatMap(contents);
  if (typeof node === 'string' || typeof node === 'number') return [String(node)];
  if (node === null || typeof node !== 'object' || !('props' in node)) return [];
  const { type, props } = node as VNode<{ label?: string; rows?: unknown[]; children?: ComponentChildren }>;
  if (type === (Table as unknown)) return [`table ${props.label}: ${props.rows?.length} rows`];
  if (typeof type === 'function' && type !== (Card as unknown)) return contents((type as (p: object) => ComponentChildren)(props));
  const inside = contents(props.children);
  return type === 'p' || /^h\d$/.test(String(type)) ? [inside.join('')] : inside;
}

const table = (title: string, rows: number, more = 0): Answered => ({
  title,
  columns: [{ key: 'name', title: 'Name', unit: '' }],
  rows: Array.from({ length: rows }, (_, i) => ({ name: `${title} ${i}` })),
  more,
});

/** Returns the answer about a tile that does not fit even without its variables. */
const oom = (tile: number, spread: string): Answer => ({
  lines: [
    '1 tile out of memory',
    `The worst is tile ${tile}`,
    'Map the variables of the table below to more tiles.',
    'Other tiles have room.',
  ],
  facts: { worstTile: tile, worstStep: 3, bytesPastTheEnd: 9, liveAtWorst: 20 },
  tables: { tiles: table('Tiles out of memory', 5, 1), spread: table(spread, 3) },
  notes: [],
});

describe('the card of what makes a program fit', () => {
  const all = oom(1, 'Variables of tile 1');
  const fit: Answer = { lines: ['No change is enough.'], facts: { fits: false }, tables: {}, notes: [] };
  const profile = {
    answers: { views: { oom: all, fit }, oomOfTiles: [all, oom(2, 'Variables of tile 2')] },
    outOfMemoryTiles: [1, 2, 3],
    db: { name: 'p.pop' },
  } as unknown as Profile;
  const card = contents(CureCard({ profile }));
  it('has the variables to map to more tiles below the sentence that names them', () => {
    const sentence = 'Map the variables of the table below to more tiles.';
    for (const tile of [1, 2]) {
      const at = card.indexOf(`From tile ${tile}`);
      expect(card.slice(at + 2, at + 5)).toEqual([sentence, `Variables of tile ${tile}`, `table Variables of tile ${tile}: 3 rows`]);
    }
  });
  it('has a command for a tile without an answer, with the file', () => {
    expect(card).toContain('1 more tile does not fit: popscope oom p.pop --tiles N shows what must go from one of them.');
  });
  it('has the number of tiles that its table leaves out', () => {
    expect(card.slice(-2)).toEqual(['table Tiles out of memory: 5 rows', '1 more']);
  });
});

describe('a table of an answer', () => {
  it('has the number of rows that the answer or the page leaves out', () => {
    const shown = (answer: Answered, most?: number) =>
      contents(AnswerTable({ profile: {} as Profile, table: answer, ...(most === undefined ? {} : { most }) }));
    expect(shown(table('T', 7))).toEqual(['table T: 7 rows']);
    expect(shown(table('T', 7), 5)).toEqual(['table T: 5 rows', '2 more']);
    expect(shown(table('T', 7, 1000), 5)).toEqual(['table T: 5 rows', '1,002 more']);
  });
});
