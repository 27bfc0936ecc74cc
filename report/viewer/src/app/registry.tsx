// The component of each view.
import type { JSX } from 'preact';
import type { Profile } from '../data/profile';
import { Compare } from '../views/compare/Compare';
import { About } from '../views/about/About';
import { Exchange } from '../views/exchange/Exchange';
import { Execution } from '../views/execution/Execution';
import { Layers } from '../views/layers/Layers';
import { Liveness } from '../views/liveness/Liveness';
import { Memory } from '../views/memory/Memory';
import { Operations } from '../views/operations/Operations';
import { Options } from '../views/about/Options';
import { ProgramTree } from '../views/program/Program';
import { Sql } from '../views/sql/Sql';
import { Tile } from '../views/tile/Tile';
import { Verdict } from '../views/verdict/Verdict';
import { WhatIf } from '../views/whatif/WhatIf';
import type { Route } from './route';
import { kViewKeys, type ViewKey } from './viewKeys';

/** Data and actions that a view can use in addition to the profile. */
export interface Surroundings {
  readonly other: Profile | null; // the profile that is compared with the first
  readonly onOther: (files: readonly File[]) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly problem: string; // what was wrong with the other profile
}

export interface View {
  readonly key: ViewKey;
  readonly title: string;
  readonly press: string; // the key on the keyboard
  readonly make: (profile: Profile, route: Route, around: Surroundings) => JSX.Element;
}

const kMakers: readonly Pick<View, 'key' | 'make'>[] = [
  { key: 'verdict', make: (profile) => <Verdict profile={profile} /> },
  { key: 'memory', make: (profile, route) => <Memory profile={profile} route={route} /> },
  { key: 'tile', make: (profile, route) => <Tile profile={profile} route={route} /> },
  { key: 'liveness', make: (profile, route) => <Liveness profile={profile} route={route} /> },
  { key: 'program', make: (profile, route) => <ProgramTree profile={profile} route={route} /> },
  {
    key: 'operations',
    make: (profile, route, around) => <Operations profile={profile} route={route} onFiles={around.onFiles} />,
  },
  { key: 'layers', make: (profile, route, around) => <Layers profile={profile} route={route} other={around.other} /> },
  { key: 'whatif', make: (profile, route) => <WhatIf profile={profile} route={route} /> },
  { key: 'execution', make: (profile, route) => <Execution profile={profile} route={route} /> },
  { key: 'exchange', make: (profile, route) => <Exchange profile={profile} route={route} /> },
  {
    key: 'compare',
    make: (profile, route, around) => (
      <Compare profile={profile} route={route} other={around.other} onOther={around.onOther} problem={around.problem} />
    ),
  },
  { key: 'sql', make: (profile, route) => <Sql profile={profile} route={route} /> },
  { key: 'options', make: (profile) => <Options profile={profile} /> },
  { key: 'about', make: (profile) => <About profile={profile} /> },
];

const makers = new Map(kMakers.map((maker) => [maker.key, maker.make]));

export const kViews: readonly View[] = kViewKeys.flatMap((view) => {
  const make = makers.get(view.key);
  return make ? [{ ...view, make }] : [];
});
