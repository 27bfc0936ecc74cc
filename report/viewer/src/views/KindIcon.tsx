// A small icon for each kind of program, in the colour of its activity, so that a reader finds kinds in a long tree.
import type { JSX } from 'preact';
import { activityOf } from '../derived/names';
import { currentTheme } from '../theme';

export type Kind =
  'compute' | 'copy' | 'exchange' | 'global' | 'host' | 'sync' | 'sequence' | 'loop' | 'branch' | 'call' | 'undef' | 'other';

/** The kind of each type of program; every type of pva has a kind. */
export const kKinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['OnTileExecute', 'compute'],
  ['Execute', 'compute'],
  ['OnTileCopy', 'copy'],
  ['Copy', 'copy'],
  ['CopySharedStructure', 'copy'],
  ['DoExchange', 'exchange'],
  ['GlobalExchange', 'global'],
  ['CrossReplicaCopy', 'global'],
  ['StreamCopyBegin', 'host'],
  ['StreamCopyMid', 'host'],
  ['StreamCopyEnd', 'host'],
  ['Sync', 'sync'],
  ['SyncAns', 'sync'],
  ['Sans', 'sync'],
  ['Sequence', 'sequence'],
  ['Block', 'sequence'],
  ['Repeat', 'loop'],
  ['RepeatWhile', 'loop'],
  ['While', 'loop'],
  ['If', 'branch'],
  ['Switch', 'branch'],
  ['OnTileSwitch', 'branch'],
  ['OnEveryTileSwitch', 'branch'],
  ['SetLocalConsensus', 'branch'],
  ['SetLocalConsensusFromVar', 'branch'],
  ['GetGlobalConsensus', 'branch'],
  ['Call', 'call'],
  ['WriteUndef', 'undef'],
]);

/** Strokes on a square of 16 by 16. */
const kStrokes: Readonly<Record<Kind, string>> = {
  compute: 'M4 4h8v8h-8zM6.5 1.5v2.5M9.5 1.5v2.5M6.5 12v2.5M9.5 12v2.5M1.5 6.5h2.5M1.5 9.5h2.5M12 6.5h2.5M12 9.5h2.5',
  copy: 'M2 2h8v8h-8zM6 10v4h8v-8h-4',
  exchange: 'M2 5.5h11M10 2.5l3 3-3 3M14 10.5h-11M6 7.5l-3 3 3 3',
  global: 'M2 8h12M5 5l-3 3 3 3M11 5l3 3-3 3M8 2v12',
  host: 'M8 13.5v-9M4.5 8l3.5-3.5 3.5 3.5M2.5 2h11',
  sync: 'M8 1.5v13M2 4.5h4M2 8h4M2 11.5h4M10 8h4',
  sequence: 'M5 3.5h9M5 8h9M5 12.5h9M2 3.5h.5M2 8h.5M2 12.5h.5',
  loop: 'M13.5 8a5.5 5.5 0 1 1-2-4.2M11.8 1v3h-3',
  branch: 'M8 14v-5l-5-5M8 9l5-5M3 7v-3h3M10 4h3v3',
  call: 'M2 3.5v9h6M5.5 8h8.5M11 5l3 3-3 3',
  undef: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  other: 'M8 5.5a2.5 2.5 0 1 0 .01 0',
};

export function KindIcon({ type }: { readonly type: string }): JSX.Element {
  const theme = currentTheme();
  const activity = activityOf(type);
  const colour = activity === 'sync' ? theme.faint : theme.activity[activity]; // a thin line needs more contrast than an area
  return (
    <svg class="kindicon" viewBox="0 0 16 16" role="img" aria-label={type} stroke={colour}>
      <title>{type}</title>
      <path d={kStrokes[kKinds.get(type) ?? 'other']} />
    </svg>
  );
}
