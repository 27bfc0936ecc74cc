// The data that exchanges move: a table of all exchanges, and the bytes of one exchange or of all exchanges, per tile and from tile to
// tile.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { barScales, drawStackedBars, type StackedBars } from '../../draw/bars';
import { collectExchanges, exchangeCode, exchangeCycles } from '../../derived/exchange';
import { bytes, integer, shortBytes, shortNumber } from '../../derived/format';
import { programLabel } from '../../derived/names';
import { currentTheme } from '../../theme';
import { Card, Choice, Legend, ProgramLink, stepCells } from '../common';
import { KindIcon } from '../KindIcon';
import { Picture } from '../Picture';
import { Table } from '../Table';
import { kShown, type Shown } from './shown';
import { LinksCard, TrafficCard } from './Traffic';

export function Exchange({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const theme = currentTheme();
  const exchanges = useMemo(() => collectExchanges(profile), [profile]);
  const { rows } = exchanges;
  const chosen = rows.find((r) => String(r.program) === route.params.step);
  const none = useMemo(() => new Float64Array(profile.tiles), [profile]);
  const shown: Shown = kShown.find(([key]) => key === route.params.by)?.[0] ?? 'bytes';
  const series = useMemo(() => {
    const program = chosen?.program ?? null;
    const colour = theme.activity.exchange;
    if (shown === 'code') return [{ label: 'Exchange code', colour, values: exchangeCode(profile, program) }];
    if (shown === 'cycles') {
      const cycles = exchangeCycles(profile, program);
      return cycles ? [{ label: 'Cycles over the recorded executions', colour, values: cycles }] : [];
    }
    const values = (column: 'bytes_sent' | 'bytes_received') => (chosen ? (profile.programTiles(chosen.program, column) ?? none) : null);
    return [
      { label: 'Received', colour: theme.series[0] ?? theme.accent, values: values('bytes_received') ?? exchanges.received },
      { label: 'Sent', colour: theme.series[1] ?? theme.accent, values: values('bytes_sent') ?? exchanges.sent },
    ];
  }, [profile, exchanges, chosen, none, theme, shown]);
  if (rows.length === 0)
    return (
      <Card title="Exchange">
        <p class="empty">The program has no exchanges.</p>
      </Card>
    );
  const data: StackedBars = {
    series,
    from: 0,
    to: profile.tiles,
    marks: chosen ? [chosen.busiest] : [],
    x: { label: 'tile', format: String, items: true },
    y: shown === 'cycles' ? { label: 'cycles', format: shortNumber } : { label: 'bytes', format: shortBytes, binary: true },
  };
  const unit = shown === 'cycles' ? (n: number) => `${integer(n)} cycles` : bytes;
  const what = shown === 'cycles' ? 'Cycles' : shown === 'code' ? 'Code' : 'Bytes';
  return (
    <>
      <div class="columns three-two">
        <Card title="Exchanges">
          <Table
            label="Exchanges"
            rows={rows}
            selected={(r) => r === chosen}
            onPick={(r) => setParams({ step: r.program })}
            columns={[
              {
                title: 'Exchange',
                step: (r) => stepCells(profile, r.program),
                value: (r) => programLabel(profile.programs[r.program]),
                show: (r) => (
                  <>
                    <KindIcon type={profile.programs[r.program]?.type ?? ''} />
                    <ProgramLink profile={profile} id={r.program} most={25} beside={20} />
                  </>
                ),
              },
              {
                title: 'Received',
                unit: 'B',
                value: (r) => r.received,
                help: 'More than the bytes sent if a message has several receivers',
              },
              { title: 'Executions', value: (r) => r.executions },
              {
                title: 'Cycles',
                value: (r) => r.cycles,
                help: 'Cycles that it adds to the recorded runs; few or none if it overlaps earlier steps',
              },
              { title: 'Code', unit: 'B', value: (r) => r.code, help: 'Exchange code over all tiles that no earlier exchange has' },
              { title: 'Sent', unit: 'B', value: (r) => r.sent, help: 'Over all tiles, in one execution' },
              {
                title: 'Most on a tile',
                unit: 'B',
                value: (r) => r.mostReceived,
                show: (r) =>
                  r.mostReceived > 0 ? (
                    <>
                      {integer(r.mostReceived)} on{' '}
                      <a class="inline" href={link('tile', { tile: r.busiest })}>
                        {r.busiest}
                      </a>
                    </>
                  ) : (
                    integer(r.mostReceived)
                  ),
              },
            ]}
          />
        </Card>
        <Card
          title={
            chosen
              ? `${what} over tiles: ${programLabel(profile.programs[chosen.program])}`
              : `${what} over tiles: ${shown === 'cycles' ? 'all recorded exchanges' : 'each exchange once'}`
          }
          aside={
            <div class="controls">
              <Choice label="Show" value={shown} options={kShown} onChange={(v) => setParams({ by: v === 'bytes' ? '' : v })} />
              {chosen && (
                <button type="button" onClick={() => setParams({ step: '' })}>
                  All exchanges
                </button>
              )}
            </div>
          }
        >
          {!series.some((s) => s.values.some((v) => v > 0)) ? (
            <p class="empty">
              {shown === 'cycles'
                ? `No execution of ${chosen ? 'this exchange' : 'an exchange'} was recorded per tile.`
                : `The file has no ${shown === 'code' ? 'exchange code' : 'bytes sent or received'} of ${chosen ? 'this exchange' : 'any exchange'}.`}
            </p>
          ) : (
            <Picture
              title={`${what} of exchanges over tiles`}
              height={280}
              draw={(surface, w, h, t) => drawStackedBars(surface, data, w, h, t)}
              tip={(p, w, h) => {
                const tile = Math.floor(barScales(data, w, h).x.value(p.x));
                if (tile < 0 || tile >= profile.tiles) return null;
                return (
                  <>
                    <b>Tile {tile}</b>
                    {series.map((s) => (
                      <div key={s.label}>
                        {s.label}: {unit(s.values[tile] ?? 0)}
                      </div>
                    ))}
                  </>
                );
              }}
              onPick={(p, w, h) => {
                const tile = Math.floor(barScales(data, w, h).x.value(p.x));
                if (tile >= 0 && tile < profile.tiles) location.hash = link('memory', { tiles: tile });
              }}
              onKey={(event) => {
                const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
                const next = rows[(chosen ? rows.indexOf(chosen) : -1) + move];
                if (move === 0 || !next) return;
                event.preventDefault();
                setParams({ step: next.program });
              }}
            />
          )}
          <Legend items={series.map((s) => [s.label, s.colour] as const)} />
          <p class="hint">A click on a tile opens its contents; ← → choose the previous and next exchange.</p>
        </Card>
      </div>
      <TrafficCard profile={profile} route={route} program={chosen?.program ?? null} />
      <LinksCard profile={profile} program={chosen?.program ?? null} />
    </>
  );
}
