// The frame: menu, what is open, and which view the fragment names.
import { Component, type ComponentChildren, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { openDatabase } from '../data/database';
import { Profile } from '../data/profile';
import { About, Options, Sql } from '../views/Console';
import { Compare } from '../views/Compare';
import { Exchange } from '../views/Exchange';
import { Execution } from '../views/Execution';
import { Liveness } from '../views/Liveness';
import { Memory } from '../views/Memory';
import { ProgramTree } from '../views/Program';
import { Tile } from '../views/Tile';
import { Verdict } from '../views/Verdict';
import { formatRoute, link, parseRoute, type Route, useRoute } from './route';

/** The profile that is compared with the first. */
interface Second {
  readonly other: Profile | null;
  readonly onOther: (file: File) => void;
  readonly problem: string;
}

interface View {
  readonly key: string;
  readonly title: string;
  readonly make: (profile: Profile, route: Route, second: Second) => JSX.Element;
}

const kViews: readonly View[] = [
  { key: 'verdict', title: 'Verdict', make: (profile) => <Verdict profile={profile} /> },
  { key: 'memory', title: 'Memory', make: (profile, route) => <Memory profile={profile} route={route} /> },
  { key: 'tile', title: 'Tile', make: (profile, route) => <Tile profile={profile} route={route} /> },
  { key: 'liveness', title: 'Liveness', make: (profile, route) => <Liveness profile={profile} route={route} /> },
  { key: 'program', title: 'Program', make: (profile, route) => <ProgramTree profile={profile} route={route} /> },
  { key: 'execution', title: 'Execution', make: (profile, route) => <Execution profile={profile} route={route} /> },
  { key: 'exchange', title: 'Exchange', make: (profile, route) => <Exchange profile={profile} route={route} /> },
  { key: 'compare', title: 'Compare', make: (profile, _route, second) => <Compare profile={profile} {...second} /> },
  { key: 'sql', title: 'SQL', make: (profile, route) => <Sql profile={profile} route={route} /> },
  { key: 'options', title: 'Options', make: (profile) => <Options profile={profile} /> },
  { key: 'about', title: 'About', make: (profile) => <About profile={profile} /> },
];

/** A view that a damaged file breaks says so in its place; the others go on. */
class Fence extends Component<{ readonly children: ComponentChildren }, { readonly problem: string | null }> {
  override state = { problem: null };
  static override getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  override render(): ComponentChildren {
    if (this.state.problem === null) return this.props.children;
    return (
      <p class="error" role="alert">
        This view cannot be shown: {this.state.problem}. The file may be damaged; other views may still work.
      </p>
    );
  }
}

function Welcome({ onFile, problem }: { readonly onFile: (file: File) => void; readonly problem: string }): JSX.Element {
  return (
    <div class="welcome">
      <h1>Popscope</h1>
      <p>Drop a profile (.pop) here, or choose one. It is read in this page and never leaves your machine.</p>
      <input
        type="file"
        accept=".pop"
        aria-label="Choose a profile"
        onChange={(e) => {
          const file = e.currentTarget.files?.[0];
          if (file) onFile(file);
        }}
      />
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

export function App(props: { readonly first: Promise<{ name: string; bytes: Uint8Array } | null> }): JSX.Element {
  const [profile, setProfile] = useState<Profile | null>(null);
  const [other, setOther] = useState<Profile | null>(null);
  const [problem, setProblem] = useState('');
  const [otherProblem, setOtherProblem] = useState('');
  const [busy, setBusy] = useState(true);
  const [tried, setTried] = useState({ name: '' });
  const route = useRoute();

  const open = async (name: string, content: () => Promise<Uint8Array>) => {
    setBusy(true);
    setProblem('');
    try {
      const database = await openDatabase(name, await content());
      setProfile(new Profile(database));
    } catch (error) {
      setProfile(null);
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setTried({ name });
    setBusy(false);
  };
  const openFile = async (file: File) => open(file.name, async () => new Uint8Array(await file.arrayBuffer()));

  const openSecond = async (file: File) => {
    try {
      setOther(new Profile(await openDatabase(file.name, new Uint8Array(await file.arrayBuffer()))));
      setOtherProblem('');
    } catch (error) {
      setOtherProblem(error instanceof Error ? error.message : String(error));
    }
    setTried({ name: file.name });
  };

  useEffect(() => {
    void props.first.then(
      (content) => (content ? open(content.name, () => Promise.resolve(content.bytes)) : setBusy(false)),
      (error: unknown) => {
        setProblem(`The profile in this page cannot be unpacked: ${error instanceof Error ? error.message : String(error)}.`);
        setBusy(false);
      },
    );
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void (parseRoute(location.hash).view === 'compare' ? openSecond(file) : openFile(file));
    };
    const key = (event: KeyboardEvent) => {
      const target = event.target;
      if (event.ctrlKey || event.metaKey || event.altKey || (target instanceof HTMLElement && /INPUT|TEXTAREA|SELECT/.test(target.tagName)))
        return;
      const view = kViews[Number(event.key) - 1];
      if (event.key === '?') location.hash = link('about');
      else if (view && /^[1-9]$/.test(event.key)) location.hash = link(view.key);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    addEventListener('keydown', key);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
      removeEventListener('keydown', key);
    };
  }, []);

  const view = kViews.find((v) => v.key === route.view) ?? kViews[0];
  useEffect(() => {
    document.title = profile ? `${view?.title ?? ''} – ${profile.db.name} – Popscope` : 'Popscope';
    if (profile) document.body.dataset.ready = String(Math.round(performance.now()));
  }, [profile, view]);

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
  if (!profile) return <Welcome onFile={(file) => void openFile(file)} problem={problem} />;
  return (
    <>
      <nav aria-label="Views">
        <a class="brand" href={link('verdict')}>
          Popscope
        </a>
        {kViews.map((v, i) => (
          <a
            key={v.key}
            href={link(v.key)}
            class={v === view ? 'current' : ''}
            aria-current={v === view ? 'page' : undefined}
            title={`Key ${i + 1}`}
          >
            {v.title}
          </a>
        ))}
        <span class="file" title={profile.db.name}>
          {profile.db.name}
          {profile.complete ? '' : ' (not complete)'}
        </span>
      </nav>
      <main>
        <Fence key={`${profile.db.name} ${view?.key}`}>
          {view?.make(profile, route, { other, onOther: (file) => void openSecond(file), problem: otherProblem })}
        </Fence>
      </main>
    </>
  );
}
