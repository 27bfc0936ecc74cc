// The views in the order of the menu, each with its key.
import type { JSX } from 'preact';
import type { Profile } from '../data/profile';
import { Compare } from '../views/Compare';
import { About, Options, Sql } from '../views/Console';
import { Exchange } from '../views/Exchange';
import { Execution } from '../views/Execution';
import { Liveness } from '../views/Liveness';
import { Memory } from '../views/Memory';
import { Operations } from '../views/Operations';
import { ProgramTree } from '../views/Program';
import { Tile } from '../views/Tile';
import { Verdict } from '../views/Verdict';
import type { Route } from './route';

/** What a view can show beside the profile, and ask for. */
export interface Surroundings {
  readonly other: Profile | null; // the profile that is compared with the first
  readonly onOther: (files: readonly File[]) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly problem: string; // with the other
}

export interface View {
  readonly key: string;
  readonly title: string;
  readonly press: string; // the key on the keyboard
  readonly make: (profile: Profile, route: Route, around: Surroundings) => JSX.Element;
}

export const kViews: readonly View[] = [
  { key: 'verdict', title: 'Verdict', press: '1', make: (profile) => <Verdict profile={profile} /> },
  { key: 'memory', title: 'Memory', press: '2', make: (profile, route) => <Memory profile={profile} route={route} /> },
  { key: 'tile', title: 'Tile', press: '3', make: (profile, route) => <Tile profile={profile} route={route} /> },
  { key: 'liveness', title: 'Liveness', press: '4', make: (profile, route) => <Liveness profile={profile} route={route} /> },
  { key: 'program', title: 'Program', press: '5', make: (profile, route) => <ProgramTree profile={profile} route={route} /> },
  {
    key: 'operations',
    title: 'Operations',
    press: '6',
    make: (profile, route, around) => <Operations profile={profile} route={route} onFiles={around.onFiles} />,
  },
  { key: 'execution', title: 'Execution', press: '7', make: (profile, route) => <Execution profile={profile} route={route} /> },
  { key: 'exchange', title: 'Exchange', press: '8', make: (profile, route) => <Exchange profile={profile} route={route} /> },
  {
    key: 'compare',
    title: 'Compare',
    press: '9',
    make: (profile, route, around) => (
      <Compare profile={profile} route={route} other={around.other} onOther={around.onOther} problem={around.problem} />
    ),
  },
  { key: 'sql', title: 'SQL', press: '0', make: (profile, route) => <Sql profile={profile} route={route} /> },
  { key: 'options', title: 'Options', press: 'o', make: (profile) => <Options profile={profile} /> },
  { key: 'about', title: 'About', press: 'a', make: (profile) => <About profile={profile} /> },
];
