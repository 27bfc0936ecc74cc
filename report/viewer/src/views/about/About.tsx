// Explains what each number means and where it comes from, the keys, and the file.
import type { JSX } from 'preact';
import { KeyList } from '../../app/KeyList';
import type { Profile } from '../../data/profile';
import { integer } from '../../derived/format';
import { Card } from '../common';

const kMeanings: readonly (readonly [string, string])[] = [
  [
    'Occupied',
    'Addresses that an allocation uses at some time; each address counts once (memory_by_tile.total). The number is exact: the compiler placed every byte.',
  ],
  [
    'Including gaps',
    'The end of the highest used address (memory_by_tile.total_including_gaps). A tile fits if this is at most the size of its memory.',
  ],
  [
    'By category',
    'Sums over allocations (memory_by_tile_category). Each allocation counts, even if it shares addresses with other allocations at other times. So the sum can exceed the occupied bytes.',
  ],
  ['Always live', 'Bytes that are in use during the whole program: code, constants, stacks, and variables that are live at every step.'],
  [
    'Not always live',
    'Variables whose addresses other variables can use at other steps. The life of a variable’s old contents ends when one compute set or copy writes the whole variable.',
  ],
  ['Compute', 'Cycles of worker threads, without idle threads (execution_cycle_totals.thread_cycles).'],
  ['Idle threads', 'Cycles in which a tile works but some of its worker threads are not busy: compute cycles minus thread cycles.'],
  [
    'Waiting for slower tiles',
    'Time in which tiles wait for a tile that works longer in a compute set, as popscope loss reports it. The page does not have this figure for a profile that you dropped on it.',
  ],
  [
    'Sync and waiting',
    'The rest of the time in the view Execution: the delay of barriers, and waiting for other tiles, exchanges and the host.',
  ],
  ['Tile balance', 'The mean work of the tiles in a step, divided by the work of the slowest tile.'],
  [
    'Critical path',
    'The chain of work and waiting that determines the length of a run, traced from its end to its start: through each barrier to the tile that arrived last, and through each exchange to the last tile that took part. The sum of its pieces is the length of the run.',
  ],
  [
    'False-live',
    'Bytes that are live by the array rule, although no path reads them (false_live). A WriteUndef before these steps frees the bytes.',
  ],
  [
    'Operation',
    'The steps that were created in one debug context (debug.cbor). A layer also includes the steps of the contexts inside it.',
  ],
  [
    'Who sends to whom',
    'Bytes of one execution of an exchange, from tile to tile, or between groups of neighbouring tiles if many pairs take part; data for several tiles counts once for each of them (traffic). The figure belongs to the program, not to a run.',
  ],
  [
    'FLOPs',
    'Floating-point operations: the estimates of the program (compute_set_vertices.flops), or else the count of the substitute instruction set in the last execution (vertex_cycle_sources.flops). The sign ≥ means that the operations of some vertices are unknown.',
  ],
  [
    'Reads, writes, undefines',
    'Elements of a variable that one execution of a step reads, writes or undefines; each element counts once (variable_accesses). The figure belongs to the program, not to a run.',
  ],
  ['Cycles', 'Estimates of a cost model, not measured on a machine.'],
];

export function About({ profile }: { readonly profile: Profile | null }): JSX.Element {
  return (
    <>
      <Card title="What the numbers mean">
        <dl>
          {kMeanings.map(([name, meaning]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
        <p>An en dash (–) means that the value is unknown. An unknown value is never shown as 0.</p>
      </Card>
      <Card title="Keys">
        <KeyList />
      </Card>
      {profile && (
        <Card title="This file">
          <dl>
            <dt>Name</dt>
            <dd>
              {profile.title}, {integer(profile.db.bytes)} B
            </dd>
            {[...profile.meta].map(([key, value]) => (
              <>
                <dt key={key}>{key}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
          <p>The page reads the file itself. It sends nothing to another machine, and loads nothing from one.</p>
        </Card>
      )}
    </>
  );
}
