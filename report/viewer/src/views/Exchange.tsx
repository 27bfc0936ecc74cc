// What each exchange moves: a table of all, and bytes over tiles of one or of all together.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../app/route';
import type { Profile } from '../data/profile';
import { barScales, drawStackedBars, type StackedBars } from '../draw/bars';
import { collectExchanges } from '../derived/exchange';
import { bytes, integer, shortBytes } from '../derived/format';
import { programLabel } from '../derived/names';
import { currentTheme } from '../theme';
import { Card, Legend, ProgramLink } from './common';
import { Picture } from './Picture';
import { Table } from './Table';

export function Exchange({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const theme = currentTheme();
  const exchanges = useMemo(() => collectExchanges(profile), [profile]);
  const { rows } = exchanges;
  const chosen = rows.find((r) => String(r.program) === route.params.step);
  const none = useMemo(() => new Float64Array(profile.tiles), [profile]);
  const series = useMemo(() => {
    const values = (column: 'bytes_sent' | 'bytes_received') => (chosen ? (profile.programTiles(chosen.program, column) ?? none) : null);
    return [
      { label: 'Received', colour: theme.series[0] ?? theme.accent, values: values('bytes_received') ?? exchanges.received },
      { label: 'Sent', colour: theme.series[1] ?? theme.accent, values: values('bytes_sent') ?? exchanges.sent },
    ];
  }, [profile, exchanges, chosen, none, theme]);
  if (rows.length === 0)
    return (
      <Card title="Exchange">
        <p class="empty">The program exchanges nothing.</p>
      </Card>
    );
  const data: StackedBars = {
    series,
    from: 0,
    to: profile.tiles,
    marks: chosen ? [chosen.busiest] : [],
    x: { label: 'tile', format: integer },
    y: { label: 'bytes', format: shortBytes, binary: true },
  };
  return (
    <>
      <Card
        title={chosen ? `Bytes over tiles: ${programLabel(profile.programs[chosen.program])}` : 'Bytes over tiles: every exchange once'}
        aside={
          chosen && (
            <button type="button" onClick={() => setParams({ step: '' })}>
              All exchanges
            </button>
          )
        }
      >
        <Picture
          title="Bytes exchanged over tiles"
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
                    {s.label}: {bytes(s.values[tile] ?? 0)}
                  </div>
                ))}
              </>
            );
          }}
          onKey={(event) => {
            const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
            const next = rows[(chosen ? rows.indexOf(chosen) : -1) + move];
            if (move === 0 || !next) return;
            event.preventDefault();
            setParams({ step: next.program });
          }}
        />
        <Legend items={series.map((s) => [s.label, s.colour] as const)} />
      </Card>
      <Card title="Exchanges">
        <Table
          label="Exchanges"
          rows={rows}
          selected={(r) => r === chosen}
          onPick={(r) => setParams({ step: r.program })}
          columns={[
            {
              title: 'Exchange',
              value: (r) => programLabel(profile.programs[r.program]),
              show: (r) => <ProgramLink profile={profile} id={r.program} />,
            },
            { title: 'Kind', value: (r) => profile.programs[r.program]?.type ?? '' },
            { title: 'Sent', unit: 'B', value: (r) => r.sent, help: 'Over all tiles, in one execution' },
            { title: 'Received', unit: 'B', value: (r) => r.received, help: 'More than sent where a message has several receivers' },
            { title: 'Most on a tile', unit: 'B', value: (r) => r.mostReceived },
            { title: 'Tile', value: (r) => r.busiest, show: (r) => <a href={link('tile', { tile: r.busiest })}>{r.busiest}</a> },
            { title: 'Code', unit: 'B', value: (r) => r.code },
            { title: 'Executions', value: (r) => r.executions },
            { title: 'Cycles', value: (r) => r.cycles, help: 'Work of the slowest tile, over the recorded executions' },
          ]}
        />
      </Card>
    </>
  );
}
