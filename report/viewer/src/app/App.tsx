// The frame: menu, what is open, and which view the fragment names.
import { Component, type ComponentChildren, type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Profile } from '../data/profile';
import { linkProblems } from '../derived/links';
import { FileChoice } from '../views/common';
import { setPictureSource } from '../views/savePicture';
import { type Content, contentOf, isDebug, messageOf, openContent, readDebugFile } from './files';
import { Keys } from './Keys';
import { kViews } from './registry';
import { useSurface } from './useSurface';
import { warm } from './warm';
import { formatRoute, link, parseRoute, setParams, useRoute } from './route';

/** A view that a damaged file breaks says so in its place; the others go on. */
class Fence extends Component<{ readonly children: ComponentChildren }, { readonly problem: string | null }> {
  override state = { problem: null };
  static override getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: messageOf(error) };
  }
  override render(): ComponentChildren {
    if (this.state.problem === null) return this.props.children;
    return <Alert text={`This view cannot be shown: ${this.state.problem}. The file may be damaged; other views may still work.`} />;
  }
}

function Alert({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="error" role="alert">
      {text}
    </p>
  );
}

function Welcome({ onFiles, problem }: { readonly onFiles: (files: readonly File[]) => void; readonly problem: string }): JSX.Element {
  return (
    <div class="welcome">
      <h1>Popscope</h1>
      <p>
        Drop a profile (.pop) here, or choose one; with its debug.cbor, if there is one. Two are compared. What you drop is read in this
        page and never leaves your machine.
      </p>
      <FileChoice label="Choose a profile" accept=".pop,.cbor" onFiles={onFiles} />
      {problem && <Alert text={problem} />}
    </div>
  );
}

/** What Esc closes: a menu that is open, then what the link selects in this view. */
function closeOpen(): void {
  const menus = document.querySelectorAll<HTMLDetailsElement>('details.menu[open]');
  menus.forEach((menu) => (menu.open = false));
  const chosen = ['at', 'context', 'variable', 'tiles'].find((key) => (parseRoute(location.hash).params[key] ?? '') !== '');
  if (menus.length === 0 && chosen) setParams({ [chosen]: '' });
}

/** Keys that hold in every view. */
function useKeys(onHelp: () => void): void {
  useEffect(() => {
    const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
    const key = (event: KeyboardEvent) => {
      const target = event.target;
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      const view = kViews.find((v) => v.press === event.key);
      if (event.key === '?') onHelp();
      else if (event.key === 'Escape') closeOpen();
      else if (event.key === '/') focus('main input[type=search], main input[type=text]');
      else if (event.key === 'p') focus('main canvas[tabindex]');
      // 0 in a picture shows all of it.
      else if (view && !(event.key === '0' && target instanceof HTMLCanvasElement)) location.hash = link(view.key);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [onHelp]);
}

export function App(props: { readonly first: Promise<Content | null>; readonly second: Content | null }): JSX.Element {
  const [profile, setProfile] = useState<Profile | null>(null);
  const [other, setOther] = useState<Profile | null>(null);
  const [problem, setProblem] = useState('');
  const [otherProblem, setOtherProblem] = useState('');
  const [busy, setBusy] = useState(true);
  const [tried, setTried] = useState({ name: '' });
  const [help, setHelp] = useState(false);
  const shown = useRef<Profile | null>(null);
  const beside = useRef<Profile | null>(null);
  const route = useRoute();

  const show = (next: Profile | null) => {
    const old = shown.current;
    shown.current = next;
    setProfile(next);
    if (old) setTimeout(() => old.db.close()); // once nothing draws it any more
  };
  const open = async (content: Content) => {
    setBusy(true);
    setProblem('');
    try {
      const opened = await openContent(content);
      show(opened.profile);
      setProblem(opened.problem);
    } catch (error) {
      setProblem(messageOf(error) + (shown.current ? ` ${shown.current.db.name} stays open.` : ''));
    }
    setTried({ name: content.name });
    setBusy(false);
  };
  const openFiles = async (files: readonly File[]) => {
    const content = contentOf(files);
    const debug = files.find(isDebug);
    if (content) return open(content);
    if (!debug) return;
    try {
      if (shown.current) shown.current.debug = await readDebugFile(debug, shown.current);
      setProblem(shown.current ? '' : `${debug.name} belongs to a profile: drop both together.`);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setTried({ name: debug.name });
  };
  const openOther = async (files: readonly File[]) => {
    const content = contentOf(files);
    if (content) await compareWith(content);
  };
  const compareWith = async (content: Content) => {
    try {
      const next = (await openContent(content)).profile;
      const old = beside.current;
      beside.current = next;
      setOther(next);
      if (old) setTimeout(() => old.db.close());
      setOtherProblem('');
    } catch (error) {
      setOtherProblem(messageOf(error));
    }
    setTried({ name: content.name });
  };

  useEffect(() => {
    void props.first.then(
      async (content) => {
        if (!content) return setBusy(false);
        if (props.second && location.hash === '') location.hash = link('compare');
        await open(content);
        if (props.second) await compareWith(props.second);
      },
      (error: unknown) => {
        setProblem(`The profile in this page cannot be unpacked: ${messageOf(error)}.`);
        setBusy(false);
      },
    );
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      const profiles = files.filter((f) => !isDebug(f));
      const [first, second] = profiles;
      if (first && second) {
        // Two at once are compared.
        location.hash = link('compare');
        void openFiles([first, ...files.filter(isDebug)]).then(() => openOther([second]));
      } else void (shown.current && parseRoute(location.hash).view === 'compare' ? openOther(files) : openFiles(files));
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
  useKeys(() => setHelp(true));
  useSurface();

  const view = kViews.find((v) => v.key === route.view) ?? kViews[0];
  const badLink = useMemo(() => {
    const problems = profile
      ? linkProblems(
          profile,
          route,
          kViews.map((v) => v.key),
        )
      : [];
    return problems.length === 0 ? '' : `This link names what the profile has not: ${problems.join('; ')}.`;
  }, [profile, route]);
  useEffect(() => {
    document.title = profile ? `${view?.title ?? ''} – ${profile.db.name} – Popscope` : 'Popscope';
    setPictureSource(profile?.db.name ?? '');
    if (profile) document.body.dataset.ready ??= String(Math.round(performance.now()));
  }, [profile, view]);

  // After the first picture: what most views need, and the tiles of the longest run, in slices between which the page answers.
  useEffect(() => {
    if (!profile) return;
    const stop = warm(profile);
    return stop;
  }, [profile]);

  // What the page shows now: the file that was tried last, be it its views or what is wrong with it, and the route.
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
  if (!profile) return <Welcome onFiles={(files) => void openFiles(files)} problem={problem} />;
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
        <span class="file" title={profile.db.name}>
          {profile.db.name}
          {profile.complete ? '' : ' (not complete)'}
        </span>
        <button type="button" class="help" title="Keys (?)" aria-label="Keys" onClick={() => setHelp(true)}>
          ?
        </button>
      </nav>
      <main>
        <h1 class="visually-hidden">
          {view?.title}: {profile.db.name}
        </h1>
        {problem && <Alert text={problem} />}
        {badLink !== '' && <Alert text={badLink} />}
        <Fence key={`${tried.name} ${view?.key}`}>
          {view?.make(profile, route, {
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
