// The menu of files: the open profile, a field to open another profile, and the profiles that were open before.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Profile } from '../data/profile';
import { middle } from '../derived/format';
import { groundOf } from '../derived/sameness';
import { FileChoice } from '../views/common';
import { forgetLent, type Recent } from './recent';

const kMaxShown = 18; // letters

export function RecentFiles({
  recent,
  onOpen,
}: {
  readonly recent: readonly Recent[];
  readonly onOpen: (one: Recent) => void;
}): JSX.Element | null {
  const [forgotten, setForgotten] = useState(false);
  if (recent.length === 0 || forgotten) return null;
  return (
    <div class="recent">
      <h3>Opened before</h3>
      <ul>
        {recent.map((one) => (
          <li key={one.key}>
            <button type="button" class="plain" onClick={() => onOpen(one)}>
              {one.name}
            </button>{' '}
            <span class="id">{one.about}</span>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => void forgetLent().then(() => setForgotten(true))}>
        Forget them
      </button>
    </div>
  );
}

export function FileMenu(props: {
  readonly profile: Profile;
  readonly recent: readonly Recent[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onOpen: (one: Recent) => void;
}): JSX.Element {
  const { profile } = props;
  return (
    <details class="menu filemenu">
      <summary class="file" title={profile.title}>
        {middle(profile.shortName, kMaxShown)}
        {profile.complete ? '' : ' (not complete)'}
      </summary>
      <div>
        <dl>
          {groundOf(profile).map(([what, value]) => (
            <>
              <dt>{what}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
        <FileChoice label="Open a profile" accept=".pop,.cbor,.pvti" onFiles={props.onFiles} />
        <RecentFiles
          recent={props.recent.filter((one) => one.name !== profile.db.name || !one.key.endsWith(` ${profile.written}`))}
          onOpen={props.onOpen}
        />
      </div>
    </details>
  );
}
