// What keeps what alive, as a graph to click through: what a variable was made from, and what it is kept for.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Profile, Variable } from '../../data/profile';
import { chainOf, type Link } from '../../derived/chain';
import { bytes } from '../../derived/format';
import { ProgramLink } from '../common';
import { VariableLink } from '../Variables';

const kMaxLinks = 6; // on a side
const kMaxVariables = 5; // of a step

function Side({
  profile,
  links,
  verb,
  other,
}: {
  readonly profile: Profile;
  readonly links: readonly Link[];
  readonly verb: string;
  readonly other: string;
}): JSX.Element {
  return (
    <ul class="links">
      {links.slice(0, kMaxLinks).map((one) => (
        <li key={one.step}>
          <div class="edge">
            {verb} <ProgramLink profile={profile} id={one.step} />
            {one.carrier !== '' && <span class="id"> carried by the {one.carrier}</span>}
          </div>
          {one.variables.length > 0 && <div class="id">{other}</div>}
          {one.variables.slice(0, kMaxVariables).map((v) => (
            <div key={v.first.id} class="nodebox">
              <VariableLink name={v.first.name} id={v.first.id} /> <span class="id">{bytes(v.bytes)}</span>
            </div>
          ))}
          {one.variables.length > kMaxVariables && <div class="id">and {one.variables.length - kMaxVariables} more</div>}
        </li>
      ))}
      {links.length > kMaxLinks && <li class="id">and {links.length - kMaxLinks} more steps</li>}
      {links.length === 0 && <li class="id">no step of the program</li>}
    </ul>
  );
}

export function ChainGraph({ profile, variable }: { readonly profile: Profile; readonly variable: Variable }): JSX.Element | null {
  const chain = useMemo(() => chainOf(profile, variable), [profile, variable]);
  if (!chain) return null;
  return (
    <>
      <h3>What keeps it alive</h3>
      <div class="chain" role="group" aria-label="What keeps it alive">
        <Side profile={profile} links={chain.before} verb="written by" other="from" />
        <div class="nodebox center">
          <b>{variable.name}</b> <span class="id">{bytes(variable.bytes)}</span>
        </div>
        <Side profile={profile} links={chain.after} verb="kept for" other="which writes" />
      </div>
    </>
  );
}
