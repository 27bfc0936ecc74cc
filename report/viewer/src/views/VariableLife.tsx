// The life of one variable: when it lives, where it lies, and why.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../app/route';
import type { Profile, Variable } from '../data/profile';
import { bytes, integer } from '../derived/format';
import { categoryLabel, programLabel } from '../derived/names';
import { whyLive, type WhyLive } from '../derived/why';
import { drawLife, kLifeHeight, kTouchLabels, lifeScale, type Touch, touchColour, type TouchKind } from '../draw/life';
import { explainsLiveness, falseLive, undefPlacements } from '../data/extras';
import { currentTheme } from '../theme';
import { Card, Legend, ProgramLink } from './common';
import { Picture } from './Picture';
import { Table } from './Table';
import { TilePlot } from './TilePlot';

function touchesOf(profile: Profile, variable: Variable, reasons: readonly WhyLive[]): Touch[] {
  const out = new Map<string, Touch>();
  const add = (step: number | null, kind: TouchKind) => step !== null && out.set(`${step} ${kind}`, { step, kind });
  for (const reason of reasons) {
    add(reason.born, 'written');
    add(reason.read, 'read');
    add(reason.failedKill, 'partly');
  }
  for (const placement of undefPlacements(profile)) if (placement.variable === variable.id) add(placement.before, 'undef');
  return [...out.values()].sort((a, b) => a.step - b.step);
}

export function VariableLife({
  profile,
  variable,
  route,
}: {
  readonly profile: Profile;
  readonly variable: Variable;
  readonly route: Route;
}): JSX.Element {
  const intervals = variable.alwaysLive
    ? [[0, profile.programs.length] as const]
    : (profile.intervals.get(variable.equivalenceClass ?? -1) ?? []);
  const tiles = profile.variableTiles(variable.id);
  const on = tiles ? tiles.reduce((count, b) => count + (b > 0 ? 1 : 0), 0) : NaN;
  const most = tiles ? tiles.reduce((best, b, t) => (b > (tiles[best] ?? 0) ? t : best), 0) : 0;
  const reasons = useMemo(() => whyLive(profile, variable), [profile, variable]);
  const wasted = useMemo(() => falseLive(profile).filter((f) => f.variable === variable.id), [profile, variable]);
  const vain = wasted.map((f) => [f.from, f.end] as const);
  const touches = useMemo(() => touchesOf(profile, variable, reasons), [profile, variable, reasons]);
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
      <Picture
        title={`The life of ${variable.name}`}
        height={kLifeHeight}
        draw={(surface, w, h, theme) => drawLife(surface, profile.programs.length, intervals, vain, touches, w, h, theme)}
        tip={(p, w) => {
          const x = lifeScale(profile.programs.length, w);
          const step = Math.floor(x.value(p.x));
          if (step < 0 || step >= profile.programs.length) return null;
          const here = touches.filter((t) => Math.abs(x.pixel(t.step + 0.5) - p.x) < 4);
          return (
            <>
              <b>
                Step {here[0]?.step ?? step}: {programLabel(profile.programs[here[0]?.step ?? step])}
              </b>
              {here.map((t) => (
                <div key={`${t.step} ${t.kind}`}>{kTouchLabels[t.kind]}</div>
              ))}
            </>
          );
        }}
        onPick={(p, w) => {
          const step = Math.floor(lifeScale(profile.programs.length, w).value(p.x));
          if (step >= 0 && step < profile.programs.length) setParams({ step });
        }}
      />
      <Legend
        items={(['written', 'partly', 'read', 'undef'] as const).map(
          (kind) => [kTouchLabels[kind], touchColour(currentTheme(), kind)] as const,
        )}
      />
      <p class="hint">
        {explainsLiveness(profile)
          ? 'Of the reads and writes, those that begin and end its lives: the file has no others.'
          : 'Reads and writes are not in this file (autoReport.outputLivenessExplanation).'}
      </p>
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
      {wasted.length > 0 && (
        <>
          <h3>Live for nothing: by the array rule alone, no path reads it</h3>
          <Table
            label="Live for nothing"
            rows={wasted}
            columns={[
              { title: 'From step', names: true, value: (f) => f.from, show: (f) => <ProgramLink profile={profile} id={f.from} /> },
              { title: 'Before step', value: (f) => f.end },
              { title: 'Bytes', unit: 'B', value: (f) => f.bytes },
            ]}
          />
        </>
      )}
      {!variable.alwaysLive && intervals.length > 0 && (
        <Table
          label="Live intervals"
          rows={intervals}
          columns={[
            {
              title: 'From step',
              names: true,
              value: (r) => r[0],
              show: (r) => (
                <>
                  <ProgramLink profile={profile} id={r[0]} />
                </>
              ),
            },
            {
              title: 'Last step',
              names: true,
              value: (r) => r[1] - 1,
              show: (r) => (
                <>
                  <ProgramLink profile={profile} id={r[1] - 1} />
                </>
              ),
            },
            { title: 'Steps', value: (r) => r[1] - r[0] },
          ]}
        />
      )}
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
                names: true,
                value: (r) => r.born,
                show: (r) => (r.born === null ? 'nothing yet' : <ProgramLink profile={profile} id={r.born} />),
              },
              {
                title: 'Kept for the read by',
                names: true,
                value: (r) => r.read,
                show: (r) => <ProgramLink profile={profile} id={r.read} />,
              },
              {
                title: 'Written in part by',
                names: true,
                value: (r) => r.failedKill,
                show: (r) => (r.failedKill === null ? '' : <ProgramLink profile={profile} id={r.failedKill} />),
              },
              { title: 'Missed', unit: 'elements', value: (r) => r.missed },
              { title: 'Carried by', value: (r) => r.carrier },
            ]}
          />
        </>
      )}
    </Card>
  );
}
