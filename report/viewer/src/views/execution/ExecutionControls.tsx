// The controls above the chart of execution.
import type { JSX } from 'preact';
import { setParams } from '../../app/route';
import type { Profile, Run } from '../../data/profile';
import { kNestings, type Nesting } from '../../derived/flame';
import { kTileOrders, type TileOrder } from './tileOrder';
import { Choice } from '../common';
import { nameOfRun } from './Runs';

export function ExecutionControls(props: {
  readonly profile: Profile;
  readonly run: Run;
  readonly ipu: number | null; // null: all IPUs
  readonly order: TileOrder;
  readonly ordered: boolean; // the file has the data to order tiles
  readonly beside: Run | null;
  readonly names: Nesting;
  readonly marked: boolean | null; // whether the critical path is marked; null: the run has none
  readonly zoomed: boolean;
  readonly find: string;
  readonly onSelect: () => void; // selects all visible steps
}): JSX.Element {
  const { profile, run } = props;
  return (
    <div class="controls">
      {profile.runs.length > 1 && (
        <Choice
          label="Run"
          value={String(run.id)}
          options={profile.runs.map(
            (r) => [String(r.id), r.name === '' ? `${nameOfRun(r)} (program ${r.program})` : nameOfRun(r)] as const,
          )}
          onChange={(v) => setParams({ run: v, from: '', to: '', at: '' })}
        />
      )}
      {profile.ipus > 1 && (
        <Choice
          label="IPU"
          value={props.ipu === null ? 'all' : String(props.ipu)}
          options={[...Array.from({ length: profile.ipus }, (_, i) => [String(i), String(i)] as const), ['all', 'all']]}
          onChange={(v) => setParams({ ipu: v, rows: '' })}
        />
      )}
      {profile.runs.length > 1 && (
        <Choice
          label="Second run"
          value={props.beside ? String(props.beside.id) : ''}
          options={[['', 'none'], ...profile.runs.filter((r) => r !== run).map((r) => [String(r.id), `run ${nameOfRun(r)}`] as const)]}
          onChange={(v) => setParams({ beside: v, from: '', to: '' }, 'each')}
        />
      )}
      {props.ordered && (
        <Choice label="Tiles" value={props.order} options={kTileOrders} onChange={(v) => setParams({ sort: v, rows: '' }, 'each')} />
      )}
      <Choice label="Names" value={props.names} options={kNestings} onChange={(v) => setParams({ names: v })} />
      {props.marked !== null && (
        <Choice
          label="Critical path"
          value={props.marked ? 'yes' : 'no'}
          options={[
            ['yes', 'marked'],
            ['no', 'not marked'],
          ]}
          onChange={(v) => setParams({ critical: v })}
        />
      )}
      <input
        type="search"
        size={14}
        placeholder="Find steps"
        aria-label="Find executed steps"
        value={props.find}
        onInput={(e) => setParams({ find: e.currentTarget.value })}
      />
      <button type="button" onClick={props.onSelect}>
        Select visible steps
      </button>
      {props.zoomed && (
        <button type="button" onClick={() => setParams({ from: '', to: '', rows: '' }, 'each')}>
          Show all
        </button>
      )}
    </div>
  );
}
