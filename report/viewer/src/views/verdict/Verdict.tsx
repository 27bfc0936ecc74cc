// The first view: whether the program fits, which tiles are full, and where the cycles go. Each line links to the view with details.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link } from '../../app/route';
import { cellNumber } from '../../data/answers';
import { number } from '../../data/database';
import type { Profile } from '../../data/profile';
import { bytes, counted, duration, integer, percent, ranges, shortBytes } from '../../derived/format';
import { atStep, categoryLabel, programLabel } from '../../derived/names';
import { fullestTiles } from '../../derived/fullest';
import { endedRuns, numberOfRun } from '../../derived/recorded';
import { collectFit, collectPeak } from '../../derived/verdict';
import { collectNotes } from './notes';
import { Card, ProgramLink, stepCells } from '../common';
import { BoundCard, CureCard, LargestCard } from './CureCards';
import { shareColumn, Table } from '../Table';
import { LossCard, SavingCard } from './VerdictCards';

/** Letters of a name in a table of a card. */
const kCardName = 26;

function FitCard({ profile }: { readonly profile: Profile }): JSX.Element {
  const fit = collectFit(profile);
  const used = fit.occupied;
  return (
    <Card title={fit.fits ? 'It fits' : 'It does not fit'}>
      <p class={fit.fits ? 'headline good' : 'headline bad'}>
        {fit.fits
          ? `${bytes(fit.capacity - used)} free on the fullest tile`
          : `${integer(fit.outOfMemory.length)} of ${counted(profile.tiles, 'tile')} ${fit.outOfMemory.length === 1 ? 'is' : 'are'} too small`}
      </p>
      <div
        class="meter"
        role="img"
        aria-label={fit.fits ? `${percent(used, fit.capacity)} of the fullest tile is used` : 'the fullest tile needs more than its memory'}
      >
        <span style={{ width: `${Math.min(100, (100 * used) / fit.capacity)}%` }} class={fit.fits ? '' : 'bad'} />
      </div>
      <p>
        Tile <a href={link('tile', { tile: fit.fullestTile })}>{fit.fullestTile}</a> has {bytes(used)} of {bytes(fit.capacity)} occupied
        {used <= fit.capacity ? ` (${percent(used, fit.capacity)})` : `, ${bytes(used - fit.capacity)} more than its memory`}. The highest
        address in use on any tile ends at {integer(fit.highest)}, gaps included.
      </p>
      {!fit.fits && (
        <p>
          Too small: {fit.outOfMemory.length === 1 ? 'tile' : 'tiles'} {ranges([...fit.outOfMemory].sort((a, b) => a - b))}. The highest
          address lies {bytes(fit.highest - fit.capacity)} past the end of memory.
        </p>
      )}
    </Card>
  );
}

function FullestCard({ profile }: { readonly profile: Profile }): JSX.Element {
  const rows = useMemo(
    () =>
      fullestTiles(profile.memory.total, 5).map((tile) => {
        const use = profile.usesOf(tile)[0];
        return { tile, total: profile.memory.total[tile] ?? NaN, what: use?.category ?? '', most: use?.bytes ?? NaN };
      }),
    [profile],
  );
  return (
    <Card title="Fullest tiles">
      <Table
        label="Fullest tiles"
        rows={rows}
        columns={[
          { title: 'Tile', value: (r) => r.tile, show: (r) => <a href={link('tile', { tile: r.tile })}>{r.tile}</a> },
          { title: 'Occupied', unit: 'B', value: (r) => r.total },
          { title: 'Most of it', value: (r) => categoryLabel(r.what) },
          { title: 'of that', unit: 'B', value: (r) => r.most },
        ]}
      />
    </Card>
  );
}

function PeakCard({ profile }: { readonly profile: Profile }): JSX.Element | null {
  const peak = collectPeak(profile);
  if (!peak) return null;
  return (
    <Card title="Fullest step">
      <p class="headline">{shortBytes(peak.bytes)}</p>
      <p>
        live {atStep(profile.program(peak.program))}{' '}
        <a href={link('liveness', { step: peak.program })}>
          <bdi>{programLabel(profile.program(peak.program))}</bdi>
        </a>{' '}
        (step {peak.program}), over all tiles of {profile.target.replicas > 1 ? 'one replica' : 'the device'}:{' '}
        {bytes(profile.alwaysLiveBytes)} always live,{' '}
        <a href={link('liveness', { step: peak.program, always: 'no' })}>{bytes(peak.bytes - profile.alwaysLiveBytes)}</a> not.
      </p>
    </Card>
  );
}

/** Shows what tiles wait for in compute sets, from `popscope loss`. */
function IdleCard({ profile }: { readonly profile: Profile }): JSX.Element | null {
  const loss = profile.answers?.views.loss;
  const rows = (loss?.tables.waits?.rows ?? [])
    .filter((row) => row.kind === 'compute')
    .slice(0, 5)
    .map((row) => ({ program: cellNumber(row.step), waiting: cellNumber(row.waiting) }));
  if (rows.length === 0) return null;
  return (
    <Card title="Compute sets that idle most">
      <Table
        label="Compute sets that idle most"
        rows={rows}
        columns={[
          {
            title: 'Compute set',
            step: (r) => stepCells(profile, r.program),
            value: (r) => programLabel(profile.program(r.program)),
            show: (r) => <ProgramLink profile={profile} id={r.program} view="execution" most={kCardName} />,
          },
          {
            title: 'Waiting',
            unit: 'tile cycles',
            value: (r) => r.waiting,
            help: 'Cycles for which tiles wait for a tile that this compute set keeps busy; all rows add up to at most “waiting for slower tiles”',
          },
          shareColumn<(typeof rows)[number]>(
            (r) => r.waiting,
            () => cellNumber(loss?.facts.tileCycles),
            'Of all',
          ),
        ]}
      />
    </Card>
  );
}

/** Lists what only `popscope` computes, if the page lacks its answers. */
function Missing({ profile }: { readonly profile: Profile }): JSX.Element | null {
  if (profile.answers) return null;
  const ran = profile.runTotals.length > 0;
  const missing = [
    ...(profile.outOfMemoryTiles.length > 0 ? ['what makes the program fit, what must go'] : ['changes that were tried']),
    ...(ran ? ['where the cycles went, what bounds the runs, what tiles wait for, runs on other machines'] : []),
    'what is largest',
  ].join(', ');
  return (
    <p class="hint">
      This page shows only the contents of the file’s tables. <code>popscope view {profile.db.name}</code> and{' '}
      <code>popscope html {profile.db.name}</code> add {missing}.
    </p>
  );
}

export function Verdict({ profile }: { readonly profile: Profile }): JSX.Element {
  const notes = useMemo(() => collectNotes(profile), [profile]);
  const target = profile.target;
  const [graph] = useMemo(() => profile.db.query('SELECT * FROM graph'), [profile]);
  return (
    <>
      <Missing profile={profile} />
      <div class="cards">
        <FitCard profile={profile} />
        {profile.outOfMemoryTiles.length > 0 && <CureCard profile={profile} />}
        <LossCard profile={profile} />
        <FullestCard profile={profile} />
        <IdleCard profile={profile} />
        <PeakCard profile={profile} />
        <BoundCard profile={profile} />
        <SavingCard profile={profile} />
        <LargestCard profile={profile} />
        {profile.outOfMemoryTiles.length === 0 && <CureCard profile={profile} />}
        <Card title="The machine and the runs">
          <p>
            {target.type} {target.architecture}: {counted(target.ipus, 'IPU')} of {counted(target.tilesPerIpu, 'tile')} with{' '}
            {bytes(target.bytesPerTile)}
            {target.ipus * target.tilesPerIpu > 1 ? ' each' : ''}
            {target.replicas > 1 ? `, ${target.replicas} replicas` : ''}; {(target.clockHz / 1e9).toFixed(2)} GHz.
          </p>
          {graph && (
            <p>
              The program has <a href={link('program')}>{counted(number(graph.num_compute_sets), 'compute set')}</a>,{' '}
              {counted(number(graph.num_vertices), 'vertex', 'vertices')}, {counted(number(graph.num_edges), 'edge')} and{' '}
              <a href={link('liveness')}>{counted(number(graph.num_variables), 'variable')}</a>, including those that lowering adds.
            </p>
          )}
          {profile.runTotals.length > 0 && (
            <Table
              label="Recorded runs"
              rows={endedRuns(profile)}
              columns={[
                {
                  title: 'Run',
                  value: (r) => numberOfRun(r.run),
                  show: (r) => <a href={link('execution', { run: r.run.id })}>{String(numberOfRun(r.run))}</a>,
                },
                { title: 'Program', value: (r) => r.run.name || `program ${r.run.program}` },
                { title: 'Cycles', value: (r) => r.totals.total },
                {
                  title: 'Time',
                  value: (r) => r.totals.total,
                  show: (r) => duration(r.totals.total, target.clockHz),
                  copies: ['Time (s)', (r) => (target.clockHz > 0 ? r.totals.total / target.clockHz : NaN)],
                },
              ]}
            />
          )}
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}
