// Small pieces that views share.
import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Profile } from '../data/profile';
import { link } from '../app/route';
import { pathTo, programLabel } from '../derived/names';
import { currentTheme, type Fill } from '../theme';
import { CellRoom, kMaxName, Short, shortened, widthOnPage } from './Short';
import { textScale } from './textScale';

const kMaxChoice = 320; // pixels, the width of a choice's text at the usual text size

export function Card(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly aside?: ComponentChildren;
}): JSX.Element {
  return (
    <section class="card">
      <header>
        <h2>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

export function Choice<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}): JSX.Element {
  return (
    <label class="choice">
      {props.label}
      <select value={props.value} onChange={(e) => props.onChange(e.currentTarget.value as T)}>
        {props.options.map(([value, label]) => (
          <option key={value} value={value} title={label}>
            {shortened(label, kMaxName, kMaxChoice * textScale())}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A field for the number of a tile. */
export function TileField(props: {
  readonly tiles: number;
  readonly tile: number;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label class="choice">
      Tile
      <input type="number" min={0} max={props.tiles - 1} value={props.tile} onChange={(e) => props.onChange(e.currentTarget.value)} />
    </label>
  );
}

export function Swatch({ fill }: { readonly fill: Fill }): JSX.Element {
  return (
    <span
      class={fill.stripes ? 'swatch striped' : 'swatch'}
      style={{ background: fill.colour, ...(fill.stripes ? { '--stripes': fill.stripes } : {}) }}
    />
  );
}

/** Labels with their colours, striped as in the picture. */
export function Legend(props: { readonly items: readonly (readonly [label: string, fill: Fill | string])[] }): JSX.Element {
  return (
    <ul class="legend">
      {props.items.map(([label, fill]) => (
        <li key={label}>
          <Swatch fill={typeof fill === 'string' ? { colour: fill } : fill} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** The fill of a series in a legend. */
export function fillOf(series: { readonly colour: string; readonly hatched?: boolean }): Fill {
  return series.hatched ? { colour: series.colour, stripes: currentTheme().ground } : { colour: series.colour };
}

const kNumber = 44; // pixels for the number of a step, which follows its name

export function ProgramLink(props: {
  readonly profile: Profile;
  readonly id: number;
  readonly view?: string;
  readonly with?: Readonly<Record<string, number>>; // further parameters of the link
  readonly most?: number; // letters
  readonly beside?: number; // pixels of other contents in the cell of a table
}): JSX.Element {
  const room = useContext(CellRoom) - (kNumber + (props.beside ?? 0)) * textScale();
  const program = props.profile.program(props.id);
  const label = programLabel(program);
  return (
    <a
      href={link(props.view ?? 'program', { ...props.with, step: props.id })}
      title={`Step ${props.id}: ${program?.type ?? 'unknown'}${label === program?.type ? '' : ` ${label}`}`}
    >
      <bdi>{shortened(label, props.most ?? kMaxName, room)}</bdi>
      <span class="id"> {props.id}</span>
    </a>
  );
}

/** Returns the number and the name of a step, as the two cells that a copy of a table has. */
export function stepCells(profile: Profile, step: number | null): readonly [number: number | null, name: string | null] {
  return step === null || !Number.isFinite(step) ? [null, null] : [step, programLabel(profile.program(step))];
}

export function Path(props: { readonly profile: Profile; readonly id: number }): JSX.Element {
  return (
    <span class="path">
      {pathTo(props.profile, props.id).map((id, i) => (
        <span key={id}>
          {i > 0 && ' › '}
          <bdi>{programLabel(props.profile.programs[id])}</bdi>
        </span>
      ))}
    </span>
  );
}

/** Shows the last name of a path first, because the ends of paths distinguish steps. */
export function Name({ name }: { readonly name: string }): JSX.Element {
  const room = useContext(CellRoom);
  const at = name.lastIndexOf(' › ');
  if (at < 0) return <Short name={name} most={Infinity} />;
  const last = shortened(name.slice(at + 3), Infinity, (room * 2) / 3);
  const path = shortened(name.slice(0, at), Infinity, room - widthOnPage(`${last} in `));
  return (
    <span title={name}>
      <bdi>{last}</bdi>{' '}
      <span class="path">
        in <bdi>{path}</bdi>
      </span>
    </span>
  );
}

/** A button that opens files of this computer. It has a label of its own instead of the browser's "no file chosen". */
export function FileChoice(props: {
  readonly label: string;
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element {
  return (
    <label class="filechoice">
      {props.label}
      <input
        type="file"
        multiple
        accept={props.accept}
        aria-label={props.label}
        onChange={(e) => {
          const files = [...(e.currentTarget.files ?? [])];
          if (files.length > 0) props.onFiles(files);
        }}
      />
    </label>
  );
}
