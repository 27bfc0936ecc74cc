// The recorded runs one after the other, the causes on which a run spent its cycles, and blocks of lightweight profiling.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberParam, type Route, setParams } from '../../app/route';
import { blocks } from '../../data/extras';
import type { Profile, Run } from '../../data/profile';
import { drawSpans, kSpanHeight, type NamedSpan, spanScale } from '../../draw/spans';
import { integer, percent, shortNumber } from '../../derived/format';
import { programLabel } from '../../derived/names';
import { collectLoss, type LossPart } from '../../derived/loss';
import { leastLength, lengthText, numberOfRun } from '../../derived/recorded';
import { currentTheme } from '../../theme';
import { Card, Choice } from '../common';
import { LengthTable } from '../LengthTable';
import { Picture } from '../Picture';
import { shareColumn, Table } from '../Table';

export const nameOfRun = (run: Run): string => `${numberOfRun(run)}${run.name ? ` ${run.name}` : ''}`;

export function RunStrip({ profile, run }: { readonly profile: Profile; readonly run: Run }): JSX.Element | null {
  const theme = currentTheme();
  const spans = useMemo(() => {
    const out: (NamedSpan & { readonly run: Run })[] = [];
    let at = 0;
    for (const one of profile.runs) {
      const cycles = leastLength(profile, one);
      const colour = theme.series[one.program % theme.series.length] ?? theme.accent;
      out.push({ run: one, label: nameOfRun(one), depth: 0, from: at, to: at + cycles, colour, marked: one.id === run.id });
      at += cycles;
    }
    return out;
  }, [profile, run, theme]);
  const end = Math.max(1, spans[spans.length - 1]?.to ?? 1);
  if (profile.runs.length < 2) return null;
  const find = (x: number, w: number) => {
    const at = spanScale(0, end, w).value(x);
    return spans.find((s) => s.from <= at && at < s.to);
  };
  const choose = (to: Run) => setParams({ run: to.id, from: '', to: '' }, 'each');
  return (
    <Picture
      title="Recorded runs one after the other"
      aside
      height={kSpanHeight + 44}
      draw={(surface, w, h, t) =>
        drawSpans(surface, spans, 0, end, { label: 'cycles, recorded runs one after the other', format: shortNumber }, w, h, t)
      }
      tip={(p, w) => {
        const hit = find(p.x, w);
        return hit ? (
          <>
            <b>Run {nameOfRun(hit.run)}</b>
            <div>
              program {hit.run.program}: {lengthText(profile, hit.run)}
            </div>
          </>
        ) : null;
      }}
      onPick={(p, w) => {
        const hit = find(p.x, w);
        if (hit) choose(hit.run);
      }}
      onKey={(event) => {
        const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        const next = profile.runs[profile.runs.indexOf(run) + move];
        if (move === 0 || !next) return;
        event.preventDefault();
        choose(next);
      }}
    />
  );
}

export function RunCycles({ profile, run }: { readonly profile: Profile; readonly run: Run }): JSX.Element | null {
  const loss = collectLoss(profile, run.id);
  if (!loss || !(loss.whole > 0))
    return (
      <Card title={run.complete ? 'Length of the run' : 'Cycles until the run was cut short'}>
        <LengthTable profile={profile} run={run.id} />
      </Card>
    );
  const work = loss.parts.find((p) => p.key === 'work')?.tileCycles ?? 0;
  return (
    <Card title="Cycles of the run">
      <p>
        {loss.parts.some((p) => p.key === 'both' && p.tileCycles > 0)
          ? 'The parallel efficiency is not known: the work of threads was not recorded.'
          : `Parallel efficiency ${percent(work, loss.whole)}: the cycles of busy worker threads, divided by tiles × cycles × worker threads.`}
      </p>
      <Table
        label="Cycles of the run"
        rows={loss.parts}
        columns={[
          { title: 'Cause', value: (p) => p.label },
          { title: 'Tile cycles', value: (p) => p.tileCycles },
          shareColumn<LossPart>(
            (p) => p.tileCycles,
            () => loss.whole,
          ),
        ]}
      />
    </Card>
  );
}

const kKinds = ['common', 'stream copy', 'block flush', 'overflow'];

export function Blocks({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element | null {
  const all = useMemo(() => blocks(profile), [profile]);
  const theme = currentTheme();
  const tiles = useMemo(() => [...new Set(all.map((b) => b.tile))], [all]);
  const tile = tiles.includes(Number(route.params.blocks)) ? Number(route.params.blocks) : (tiles[0] ?? 0);
  const here = useMemo(() => all.filter((b) => b.tile === tile), [all, tile]);
  if (all.length === 0) return null;
  const end = here.reduce((last, b) => Math.max(last, b.to || b.from), 1);
  const from = numberParam(route, 'bfrom', 0, 0, end - 1);
  const to = numberParam(route, 'bto', end, from + 1, end);
  const spans = here.map((b) => ({
    label: programLabel(profile.programs[b.program]),
    depth: b.depth,
    from: b.from,
    to: Number.isFinite(b.to) ? b.to : end,
    colour: theme.series[Math.max(0, kKinds.indexOf(b.kind))] ?? theme.accent,
    marked: false,
  }));
  const depth = spans.reduce((most, s) => Math.max(most, s.depth + 1), 1);
  const zoom = (a: number, b: number) =>
    setParams({ bfrom: Math.max(0, Math.floor(Math.min(a, b))), bto: Math.min(end, Math.ceil(Math.max(a, b))) });
  const valueAt = (x: number, w: number) => spanScale(from, to, w).value(x);
  return (
    <Card
      title={`Blocks that tile ${tile} recorded`}
      aside={
        <div class="controls">
          <Choice
            label="Tile"
            value={String(tile)}
            options={tiles.map((t) => [String(t), String(t)] as const)}
            onChange={(v) => setParams({ blocks: v })}
          />
          {(from > 0 || to < end) && (
            <button type="button" onClick={() => setParams({ bfrom: '', bto: '' })}>
              All blocks
            </button>
          )}
        </div>
      }
    >
      <Picture
        title={`Blocks of tile ${tile}`}
        height={depth * kSpanHeight + 44}
        draw={(surface, w, h, t) =>
          drawSpans(surface, spans, from, to, { label: 'cycles of the tile’s counter', format: integer }, w, h, t)
        }
        tip={(p, w) => {
          const at = valueAt(p.x, w);
          const level = Math.floor((p.y - 4) / kSpanHeight);
          const hit = here.find((b) => b.depth === level && b.from <= at && at < (Number.isFinite(b.to) ? b.to : end));
          return hit ? (
            <>
              <b>{programLabel(profile.programs[hit.program])}</b>
              <div>
                {hit.kind}: {integer(hit.to - hit.from)} cycles in run {hit.run}
              </div>
            </>
          ) : null;
        }}
        onSpan={(a, b, w) => zoom(valueAt(a.x, w), valueAt(b.x, w))}
        onKey={(event) => {
          const length = to - from;
          if (event.key === '+') zoom(from + length / 8, to - length / 8);
          else if (event.key === '-') zoom(from - length / 6, to + length / 6);
          else if (event.key === '0') setParams({ bfrom: '', bto: '' });
          else return;
          event.preventDefault();
        }}
      />
      <Table
        label="Blocks"
        rows={here}
        columns={[
          { title: 'Block', value: (b) => programLabel(profile.programs[b.program]) },
          { title: 'Kind', value: (b) => b.kind },
          { title: 'Run', value: (b) => b.run },
          { title: 'From', unit: 'cycle', value: (b) => b.from },
          { title: 'To', unit: 'cycle', value: (b) => b.to },
          { title: 'Cycles', value: (b) => b.to - b.from },
          { title: 'Within', value: (b) => b.depth, help: 'Number of blocks that contain it' },
        ]}
      />
    </Card>
  );
}
