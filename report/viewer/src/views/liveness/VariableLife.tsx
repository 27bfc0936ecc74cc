// The life of one variable: when it is live and why, and where it lies.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../../app/route';
import type { Interval, Profile, Variable, VariableAccess } from '../../data/profile';
import { bytes, integer } from '../../derived/format';
import { categoryLabel, programLabel } from '../../derived/names';
import { partText, touchesOf } from '../../derived/life';
import { whyLive } from '../../derived/why';
import { falseLive, undefPlacements, variableAccesses } from '../../data/extras';
import { Card, ProgramLink, stepCells } from '../common';
import { ChainGraph } from './ChainGraph';
import { LifePicture } from './LifePicture';
import { type Column, Table } from '../Table';
import { TilePlot } from '../TilePlot';

const kUndefines: Column<VariableAccess> = {
  title: 'Undefines',
  unit: 'elements',
  value: (a) => a.undefined,
  show: (a) => partText(a.undefined, a.elements),
};

export function VariableLife({
  profile,
  variable,
  route,
}: {
  readonly profile: Profile;
  readonly variable: Variable;
  readonly route: Route;
}): JSX.Element {
  const intervals = useMemo(
    (): readonly Interval[] =>
      variable.alwaysLive ? [[0, profile.programs.length]] : (profile.intervals.get(variable.equivalenceClass ?? -1) ?? []),
    [profile, variable],
  );
  const tiles = profile.variableTiles(variable.id);
  const on = tiles ? tiles.reduce((count, b) => count + (b > 0 ? 1 : 0), 0) : NaN;
  const most = tiles ? tiles.reduce((best, b, t) => (b > (tiles[best] ?? 0) ? t : best), 0) : 0;
  const reasons = useMemo(() => whyLive(profile, variable), [profile, variable]);
  const wasted = useMemo(() => falseLive(profile).filter((f) => f.variable === variable.id), [profile, variable]);
  const vain = useMemo(() => wasted.map((f) => [f.from, f.end] as const), [wasted]);
  const accesses = variableAccesses(profile, variable.id);
  const touches = useMemo(
    () =>
      touchesOf(
        accesses,
        reasons,
        undefPlacements(profile).flatMap((p) => (p.variable === variable.id ? [p.before] : [])),
      ),
    [profile, variable, accesses, reasons],
  );
  return (
    <Card
      title={`The life of ${variable.name}`}
      aside={
        <button type="button" onClick={() => setParams({ variable: '' })}>
          Close
        </button>
      }
    >
      <p>
        {bytes(variable.bytes)}, {categoryLabel(variable.category)}, on {integer(on)} {on === 1 ? 'tile' : 'tiles'}
        {tiles ? (
          <>
            , most on tile <a href={link('tile', { tile: most })}>{most}</a> ({bytes(tiles[most] ?? 0)})
          </>
        ) : null}
        . {variable.alwaysLive ? 'Always live.' : intervals.length === 0 ? 'Never live: nothing reads it.' : null}
      </p>
      <LifePicture profile={profile} route={route} variable={variable} intervals={intervals} vain={vain} touches={touches} />
      <ChainGraph profile={profile} variable={variable} />
      <div class="columns">
        <div>
          {accesses ? (
            <>
              <h3>Steps that access it</h3>
              <Table
                label="Steps that access it"
                rows={accesses}
                empty="No step accesses it."
                height={260}
                columns={[
                  {
                    title: 'Step',
                    step: (a) => stepCells(profile, a.program),
                    value: (a) => programLabel(profile.programs[a.program]),
                    show: (a) => <ProgramLink profile={profile} id={a.program} />,
                  },
                  { title: 'Kind', value: (a) => profile.programs[a.program]?.type ?? '' },
                  { title: 'Reads', unit: 'elements', value: (a) => a.read, show: (a) => partText(a.read, a.elements) },
                  { title: 'Writes', unit: 'elements', value: (a) => a.written, show: (a) => partText(a.written, a.elements) },
                  ...(accesses.some((a) => a.undefined > 0) ? [kUndefines] : []),
                ]}
              />
            </>
          ) : (
            <p class="hint">This file has no reads and writes of variables; autoReport.outputLivenessExplanation records them.</p>
          )}
          {!variable.alwaysLive && intervals.length > 0 && (
            <>
              <h3>When it is live</h3>
              <Table
                label="Live intervals"
                rows={intervals}
                columns={[
                  {
                    title: 'From step',
                    names: true,
                    step: (r) => stepCells(profile, r[0]),
                    value: (r) => r[0],
                    show: (r) => <ProgramLink profile={profile} id={r[0]} />,
                  },
                  {
                    title: 'Last step',
                    names: true,
                    step: (r) => stepCells(profile, r[1] - 1),
                    value: (r) => r[1] - 1,
                    show: (r) => <ProgramLink profile={profile} id={r[1] - 1} />,
                  },
                  { title: 'Steps', value: (r) => r[1] - r[0] },
                ]}
              />
            </>
          )}
        </div>
        <div>
          {tiles && on > 0 && (
            <>
              <h3>Where it lies</h3>
              <TilePlot
                profile={profile}
                route={route}
                prefix="v"
                title={`Bytes of ${variable.name} over tiles`}
                label="Bytes"
                unit="B"
                values={tiles}
              />
            </>
          )}
        </div>
      </div>
      {reasons.length > 0 && (
        <>
          <h3>Why it is live</h3>
          <Table
            label="Why it is live"
            rows={reasons}
            columns={[
              { title: 'Steps', value: (r) => r.from, show: (r) => `${r.from}–${r.end - 1}` },
              {
                title: 'Written whole by',
                step: (r) => stepCells(profile, r.born),
                names: true,
                value: (r) => r.born,
                show: (r) => (r.born === null ? 'no step yet' : <ProgramLink profile={profile} id={r.born} />),
              },
              {
                title: 'Kept for the read by',
                step: (r) => stepCells(profile, r.read),
                names: true,
                value: (r) => r.read,
                show: (r) => <ProgramLink profile={profile} id={r.read} />,
              },
              {
                title: 'Written in part by',
                step: (r) => stepCells(profile, r.failedKill),
                names: true,
                value: (r) => r.failedKill,
                show: (r) => (r.failedKill === null ? '' : <ProgramLink profile={profile} id={r.failedKill} />),
              },
              {
                title: 'Missed',
                unit: 'elements',
                value: (r) => (r.failedKill === null ? null : r.missed),
                show: (r) => (r.failedKill === null ? '' : integer(r.missed)),
              },
              { title: 'Carried by', value: (r) => r.carrier },
            ]}
          />
        </>
      )}
      {wasted.length > 0 && (
        <>
          <h3>False-live: live by the array rule, but no path reads it</h3>
          <Table
            label="False-live"
            rows={wasted}
            columns={[
              {
                title: 'From step',
                names: true,
                step: (f) => stepCells(profile, f.from),
                value: (f) => f.from,
                show: (f) => <ProgramLink profile={profile} id={f.from} />,
              },
              { title: 'Before step', value: (f) => f.end },
              { title: 'Bytes', unit: 'B', value: (f) => f.bytes },
            ]}
          />
        </>
      )}
    </Card>
  );
}
