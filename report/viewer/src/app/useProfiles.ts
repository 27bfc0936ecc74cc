// The profiles of the page: the shown profile, the profile to compare with, and the fault of a file that could not be opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Profile } from '../data/profile';
import { readTrace } from '../data/trace';
import { bytesOf, type Content, contentOf, isDebug, isProfile, isTrace, messageOf, openContent, readDebugFile } from './files';
import { keepLent, type LentFile, lentBefore, type Recent } from './recent';
import { link, parseRoute } from './route';

export interface Profiles {
  readonly profile: Profile | null;
  readonly other: Profile | null;
  readonly problem: string;
  readonly otherProblem: string;
  readonly busy: boolean;
  readonly tried: { readonly name: string }; // the file that the user opened last, or that could not be opened
  readonly recent: readonly Recent[]; // profiles that can be opened again, newest first
  readonly openFiles: (files: readonly File[]) => Promise<void>;
  readonly openOther: (files: readonly File[]) => Promise<void>;
  readonly openAgain: (one: Recent) => Promise<void>;
  /** Shows a newer version of the current profile. */
  readonly replace: (content: Content) => Promise<void>;
}

function recentOf(content: Content): Recent {
  const about = Number.isFinite(content.written) ? `written ${new Date(content.written).toLocaleString()}` : 'in this page';
  return { key: `${content.name} ${content.written}`, name: content.name, about, content: () => Promise.resolve(content) };
}

/** Keeps the handles of dropped files if the browser has file handles. Call it during the drop event. */
function keepDropped(from: DataTransfer | null): void {
  const items = [...(from?.items ?? [])].filter((item) => item.kind === 'file') as (DataTransferItem & {
    getAsFileSystemHandle?: () => Promise<LentFile | null>;
  })[];
  const lent = items.map((item) => item.getAsFileSystemHandle?.());
  void Promise.all(lent).then((handles) => {
    const files = handles.filter((handle): handle is LentFile => handle !== null && handle !== undefined && 'getFile' in handle);
    const profile = files.find((file) => /\.pop$/i.test(file.name));
    if (profile) void keepLent(profile.name, [profile, ...files.filter((file) => /\.cbor$/i.test(file.name))]);
  });
}

export function useProfiles(first: Promise<Content | null>, second: Content | null): Profiles {
  const [profile, setProfile] = useState<Profile | null>(null);
  const [other, setOther] = useState<Profile | null>(null);
  const [problem, setProblem] = useState('');
  const [otherProblem, setOtherProblem] = useState('');
  const [busy, setBusy] = useState(true);
  const [tried, setTried] = useState({ name: '' });
  const [here, setHere] = useState<readonly Recent[]>([]); // profiles opened in this page
  const [before, setBefore] = useState<readonly Recent[]>([]); // profiles opened in earlier pages
  const shown = useRef<Profile | null>(null);
  const beside = useRef<Profile | null>(null);

  const replace = async (content: Content) => {
    const opened = await openContent(content);
    const old = shown.current;
    shown.current = opened.profile;
    if (old) opened.profile.host = old.db.name === opened.profile.db.name ? old.host : null;
    setProfile(opened.profile);
    if (old) setTimeout(() => old.db.close()); // closes later, when no view draws the old profile any more
    setProblem(opened.problem);
    setTried({ name: content.name });
  };
  const open = async (content: Content) => {
    setBusy(true);
    setProblem('');
    try {
      await replace(content);
      const one = recentOf(content);
      setHere((old) => [one, ...old.filter((other) => other.key !== one.key)]);
    } catch (error) {
      setProblem(messageOf(error) + (shown.current ? ` ${shown.current.db.name} stays open.` : ''));
      setTried({ name: content.name });
    }
    setBusy(false);
  };
  /** Opens a file that belongs to the shown profile: debug information or the host's trace. */
  const openBeside = async (file: File) => {
    try {
      if (!shown.current) setProblem(`${file.name} belongs to a profile: drop both together.`);
      else {
        if (isTrace(file)) shown.current.host = readTrace(file.name, await bytesOf(file));
        else shown.current.debug = await readDebugFile(file, shown.current);
        setProblem('');
      }
    } catch (error) {
      setProblem(messageOf(error));
    }
    setTried({ name: file.name });
  };
  const openFiles = async (files: readonly File[]) => {
    const content = contentOf(files);
    if (content) await open(content);
    for (const file of files) if (isTrace(file) || (!content && isDebug(file))) await openBeside(file);
  };
  const compareWith = async (content: Content) => {
    try {
      const next = await openContent(content);
      const old = beside.current;
      beside.current = next.profile;
      setOther(next.profile);
      if (old) setTimeout(() => old.db.close());
      setOtherProblem(next.problem);
    } catch (error) {
      setOtherProblem(messageOf(error));
    }
    setTried({ name: content.name });
  };
  const openOther = async (files: readonly File[]) => {
    const content = contentOf(files);
    if (content) await compareWith(content);
  };

  const openAgain = async (one: Recent) => {
    try {
      await open(await one.content());
    } catch (error) {
      setProblem(messageOf(error));
    }
  };

  useEffect(() => {
    void lentBefore().then(setBefore);
    void first.then(
      async (content) => {
        if (!content) return setBusy(false);
        if (second && location.hash === '') location.hash = link('compare');
        await open(content);
        if (second) await compareWith(second);
      },
      (error: unknown) => {
        setProblem(`The profile in this page cannot be unpacked: ${messageOf(error)}.`);
        setBusy(false);
      },
    );
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      keepDropped(event.dataTransfer);
      const files = [...(event.dataTransfer?.files ?? [])];
      const [one, two] = files.filter(isProfile);
      if (one && two) {
        // If the user opens two profiles at once, the page compares them.
        location.hash = link('compare');
        void openFiles([one, ...files.filter((f) => !isProfile(f))]).then(() => openOther([two]));
      } else void (shown.current && one && parseRoute(location.hash).view === 'compare' ? openOther(files) : openFiles(files));
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
  const recent = [...here, ...before.filter((one) => !here.some((other) => other.name === one.name))];
  return { profile, other, problem, otherProblem, busy, tried, recent, openFiles, openOther, openAgain, replace };
}
