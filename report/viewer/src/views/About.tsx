// What each number means and where it comes from; the keys; the file.
import type { JSX } from 'preact';
import { KeyList } from '../app/KeyList';
import type { Profile } from '../data/profile';
import { integer } from '../derived/format';
import { Card } from './common';

const kMeanings: readonly (readonly [string, string])[] = [
  [
    'Occupied',
    'Addresses that hold something at some time, each counted once (memory_by_tile.total). Exact: the compiler placed every byte.',
  ],
  [
    'Including gaps',
    'The end of the highest used address (memory_by_tile.total_including_gaps). A tile fits if that is at most its memory.',
  ],
  [
    'By category',
    'Sums over allocations (memory_by_tile_category). Allocations that share addresses over time count each, so the sum can be more than what is occupied.',
  ],
  ['Always live', 'What is in place during the whole program: code, constants, stacks, and variables that live at every step.'],
  [
    'Lives in turn',
    'Variables whose addresses others can have at other steps. A variable dies where one compute set or copy writes all of it.',
  ],
  ['Compute', 'Cycles of worker threads, idle ones left out (execution_cycle_totals.thread_cycles).'],
  ['Idle threads', 'Tiles at work whose six worker threads are not all busy: compute less thread cycles.'],
  [
    'Waiting for slower tiles',
    'Of compute sets: what tiles wait while the tile that comes last computes. Of a profile that was dropped on the page: tiles times the cycles by which compute sets make the run longer, less their work.',
  ],
  ['Sync and other waiting', 'Time at barriers that is left: the machine’s delay, and waiting for exchanges and the host.'],
  ['Tile balance', 'Mean work of a tile over the work of the slowest one.'],
  [
    'Critical path',
    'What the end of a run waited for, traced to its start: through each barrier to the tile that arrived last, through each exchange to the last tile that took part. Its pieces add up to the run.',
  ],
  [
    'Live for nothing',
    'Bytes that live because only part of an array was overwritten, and that no path reads: a WriteUndef before frees them (false_live).',
  ],
  ['Operation', 'The steps that were made within one debug context (debug.cbor); of a layer, those in contexts inside of it, too.'],
  [
    'Who sends to whom',
    'Bytes of one execution of an exchange, from tile to tile, or between groups of neighbouring tiles where many pairs take part; what goes to several tiles counts for each (traffic). Of programs, not of runs.',
  ],
  [
    'FLOPs',
    'Floating-point operations as the program’s own estimates say (compute_set_vertices.flops), else as the stand-in counted them in the last execution (vertex_cycle_sources.flops): with ≥ where those of some vertices are not known.',
  ],
  [
    'Reads, writes, undefines',
    'Elements of a variable that one execution of a step reads, writes or gives up, each counted once (variable_accesses). Of programs, not of runs.',
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
        <p>An en dash (–) stands for what is not known. Nothing unknown is shown as 0.</p>
      </Card>
      <Card title="Keys">
        <KeyList />
      </Card>
      {profile && (
        <Card title="This file">
          <dl>
            <dt>Name</dt>
            <dd>
              {profile.db.name}, {integer(profile.db.bytes)} B
            </dd>
            {[...profile.meta].map(([key, value]) => (
              <>
                <dt key={key}>{key}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
          <p>The page reads the file itself. Nothing leaves this machine, and nothing is loaded from another.</p>
        </Card>
      )}
    </>
  );
}
