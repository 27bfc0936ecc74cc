// The frame of the page: menu, open profile, and the view that the fragment names.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { setPictureSource } from '../views/savePicture';
import type { Content } from './files';
import { FileMenu } from './FileMenu';
import { Alert, Fence, Welcome } from './Frame';
import { useKeys } from './keyboard';
import { Keys } from './Keys';
import { NoteHere, NotesMenu } from './NotesMenu';
import { kViews } from './registry';
import { checkedRoute } from './parameters';
import { formatRoute, link, useRoute } from './route';
import { useFollow } from './useFollow';
import { useProfiles } from './useProfiles';
import { useSurface } from './useSurface';
import { warm } from './warm';

interface Props {
  readonly first: Promise<Content | null>;
  readonly second: Content | null;
  readonly follow: string; // name of the profile of a running program; empty if the page follows none
}

export function App(props: Props): JSX.Element {
  const profiles = useProfiles(props.first, props.second);
  const { profile, other, problem, otherProblem, busy, tried, recent, openFiles, openOther, openAgain, replace } = profiles;
  const followed = useFollow(props.follow, replace);
  const [help, setHelp] = useState(false);
  const route = useRoute();
  useKeys(() => setHelp(true));
  useSurface();

  const view = kViews.find((v) => v.key === route.view) ?? kViews[0];
  const checked = useMemo(() => (profile ? checkedRoute(profile, other, route) : { route, problems: [] }), [profile, other, route]);
  const unknown = route.view === '' || kViews.some((v) => v.key === route.view) ? [] : [`there is no view “${route.view}”`];
  const problems = [...unknown, ...checked.problems];
  const badLink = problems.length === 0 ? '' : `The page ignores what does not match the profile: ${problems.join('; ')}.`;
  useEffect(() => {
    document.title = profile ? `${view?.title ?? ''} – ${profile.title} – Popscope` : 'Popscope';
    setPictureSource(profile?.title ?? '');
    if (profile) document.body.dataset.ready ??= String(Math.round(performance.now()));
  }, [profile, view]);

  // After the first picture, reads the data that most views need and the tiles of the longest run, in slices, so that the page still
  // responds.
  useEffect(() => {
    if (!profile) return;
    const stop = warm(profile);
    return stop;
  }, [profile]);

  // Reports in data attributes what the page shows: the file that was opened last (its views or its error) and the route.
  useEffect(() => {
    if (busy) delete document.body.dataset.shown;
    else document.body.dataset.shown = tried.name;
    document.body.dataset.route = formatRoute(route);
  }, [busy, tried, route]);

  if (busy)
    return (
      <p class="busy" role="status">
        Opening…
      </p>
    );
  if (!profile && followed !== '')
    return (
      <p class="busy" role="status">
        {followed}…
      </p>
    );
  if (!profile)
    return <Welcome onFiles={(files) => void openFiles(files)} problem={problem} recent={recent} onOpen={(one) => void openAgain(one)} />;
  return (
    <>
      <nav aria-label="Views">
        <a class="brand" href={link('verdict')}>
          Popscope
        </a>
        {kViews.map((v) => (
          <a
            key={v.key}
            href={link(v.key)}
            class={v === view ? 'current' : ''}
            aria-current={v === view ? 'page' : undefined}
            title={`Key ${v.press}`}
          >
            {v.title}
          </a>
        ))}
        <div class="navend">
          <FileMenu profile={profile} recent={recent} onFiles={(files) => void openFiles(files)} onOpen={(one) => void openAgain(one)} />
          <NotesMenu route={route} />
          {followed !== '' && (
            <span class="follow" role="status">
              {followed}
            </span>
          )}
          <button type="button" class="help" title="Keys (?)" aria-label="Keys" onClick={() => setHelp(true)}>
            ?
          </button>
        </div>
      </nav>
      <main>
        <h1 class="visually-hidden">
          {view?.title}: {profile.title}
        </h1>
        {problem && <Alert text={problem} />}
        {badLink !== '' && <Alert text={badLink} />}
        <NoteHere route={route} />
        <Fence key={`${tried.name} ${view?.key}`}>
          {view?.make(profile, checked.route, {
            other,
            onOther: (files) => void openOther(files),
            onFiles: (files) => void openFiles(files),
            problem: otherProblem,
          })}
        </Fence>
      </main>
      {help && <Keys onClose={() => setHelp(false)} />}
    </>
  );
}
