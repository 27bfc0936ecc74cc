// The effect of another machine: sliders for workers, exchange, sync, clock and memory, with the length of the runs on that machine.
import type { JSX } from 'preact';
import { type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { bytes, counted, duration, integer, signed } from '../../derived/format';
import { type Axis, clocksOf, commandOf, kAxes, kKinds, pointAt, readGrid, sizesOf, whyNoGrid, withMemory } from './grid';
import { Card } from '../common';
import { GapCard, SensitivityCard } from '../verdict/CureCards';
import { Table } from '../Table';

const kAxisLabels: Readonly<Record<Axis, readonly [string, string]>> = {
  workers: ['Workers of a tile', ''],
  exchange: ['Exchange', ' B per cycle and tile'],
  sync: ['Sync', ' cycles from the last arrival to the nearest tile'],
};

function Slider(props: {
  readonly label: string;
  readonly values: readonly number[];
  readonly value: number;
  readonly show: (value: number) => string;
  readonly onChange: (value: number) => void;
}): JSX.Element {
  const at = Math.max(0, props.values.indexOf(props.value));
  return (
    <label class="slider">
      <span>{props.label}</span>
      <input
        type="range"
        min={0}
        max={props.values.length - 1}
        step={1}
        value={at}
        aria-valuetext={props.show(props.value)}
        onInput={(e) => props.onChange(props.values[Number(e.currentTarget.value)] ?? props.value)}
      />
      <output>{props.show(props.value)}</output>
    </label>
  );
}

/** Returns the value of the link if the slider has it, else the recorded value. */
function chosen(route: Route, key: string, values: readonly number[], recorded: number): number {
  const value = Number(route.params[key] ?? NaN);
  return values.includes(value) ? value : recorded;
}

export function WhatIf({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const grid = readGrid(profile);
  if (!grid)
    return (
      <>
        <Card title="What if">
          <p class="empty">{whyNoGrid(profile)}</p>
        </Card>
        <GapCard profile={profile} />
      </>
    );
  const { target } = profile;
  const [clocks, sizes] = [clocksOf(profile), sizesOf(profile)];
  const clock = chosen(route, 'clock', clocks, target.clockHz);
  const size = chosen(route, 'memory', sizes, target.bytesPerTile);
  const at = Object.fromEntries(kAxes.map((axis) => [axis, chosen(route, axis, grid.values[axis], grid.recorded[axis])])) as Record<
    Axis,
    number
  >;
  const point = pointAt(grid, at);
  const memory = withMemory(profile, size);
  const set = (axis: Axis, value: number) =>
    // one axis at a time, unless all combinations are estimated
    setParams(grid.all ? { [axis]: value } : { workers: '', exchange: '', sync: '', [axis]: value });
  const changed = kAxes.some((axis) => at[axis] !== grid.recorded[axis]) || clock !== target.clockHz || size !== target.bytesPerTile;
  return (
    <>
      <Card
        title="What if"
        aside={
          changed && (
            <button type="button" onClick={() => setParams({ workers: '', exchange: '', sync: '', clock: '', memory: '' })}>
              As recorded
            </button>
          )
        }
      >
        <div class="sliders">
          {kAxes.map((axis) => (
            <Slider
              key={axis}
              label={kAxisLabels[axis][0]}
              values={grid.values[axis]}
              value={at[axis]}
              show={(v) => `${integer(v)}${kAxisLabels[axis][1]}`}
              onChange={(v) => set(axis, v)}
            />
          ))}
          <Slider
            label="Clock"
            values={clocks}
            value={clock}
            show={(v) => `${(v / 1e9).toFixed(3)} GHz`}
            onChange={(v) => setParams({ clock: v })}
          />
          <Slider label="Memory of a tile" values={sizes} value={size} show={bytes} onChange={(v) => setParams({ memory: v })} />
        </div>
        {point ? (
          <>
            <p class="headline">
              {integer(point.cycles)} cycles, {duration(point.cycles, clock)}
            </p>
            <p>
              {signed(point.cycles - grid.recorded.cycles)} cycles compared with the {integer(grid.recorded.cycles)} recorded cycles, which
              took {duration(grid.recorded.cycles, target.clockHz)}.
            </p>
            <Table
              label="Length of the runs by kind of step"
              rows={kKinds.filter((kind) => grid.recorded.kinds[kind] > 0 || point.kinds[kind] > 0)}
              columns={[
                { title: 'Kind of step', value: (k) => k },
                { title: 'Recorded', unit: 'cycles', value: (k) => grid.recorded.kinds[k] },
                { title: 'There', unit: 'cycles', value: (k) => point.kinds[k] },
                {
                  title: 'Change',
                  unit: 'cycles',
                  value: (k) => point.kinds[k] - grid.recorded.kinds[k],
                  show: (k) => signed(point.kinds[k] - grid.recorded.kinds[k]),
                },
              ]}
            />
          </>
        ) : (
          <p class="empty">The runs on this machine were not estimated.</p>
        )}
        <p class={memory.cannot > 0 ? 'bad' : ''}>
          With {bytes(size)} per tile, {integer(memory.fit)} of {counted(profile.tiles, 'tile')}{' '}
          {memory.fit === 1 ? 'fits as it is' : 'fit as they are'} laid out, {integer(memory.cannot)} cannot, and {integer(memory.open)}{' '}
          would have to be packed again.
        </p>
        {changed && (
          <p>
            <code>{commandOf(profile.db.name, grid, at, clock, size, profile)}</code>
          </p>
        )}
        <ul class="notes">
          <li>Mapping, exchanges, code and the cycles of each vertex are as compiled; control flow is that of the recorded runs.</li>
          {!grid.all && <li>The profile is large: changes of workers, exchange and sync are estimated one at a time.</li>}
          {grid.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </Card>
      <SensitivityCard profile={profile} />
      <GapCard profile={profile} />
    </>
  );
}
