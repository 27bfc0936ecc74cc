// Parts around every view: error messages, and the place to drop a profile.
import { Component, type ComponentChildren, type JSX } from 'preact';
import { FileChoice } from '../views/common';
import { messageOf } from './files';
import { RecentFiles } from './FileMenu';
import type { Recent } from './recent';

export function Alert({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="error" role="alert">
      {text}
    </p>
  );
}

/** Shows an error in place of a view that fails on a damaged file. The other views still work. */
export class Fence extends Component<{ readonly children: ComponentChildren }, { readonly problem: string | null }> {
  override state = { problem: null };
  static override getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: messageOf(error) };
  }
  override render(): ComponentChildren {
    if (this.state.problem === null) return this.props.children;
    return <Alert text={`This view cannot be shown: ${this.state.problem}. The file may be damaged; other views may still work.`} />;
  }
}

export function Welcome({
  onFiles,
  problem,
  recent,
  onOpen,
}: {
  readonly onFiles: (files: readonly File[]) => void;
  readonly problem: string;
  readonly recent: readonly Recent[];
  readonly onOpen: (one: Recent) => void;
}): JSX.Element {
  return (
    <main class="welcome">
      <h1>Popscope</h1>
      <p>
        Drop a profile (.pop) here, or choose one. Add its debug.cbor and the trace of a host (.pvti) if you have them. If you drop two
        profiles, the page compares them. The page reads the files itself; they never leave your machine.
      </p>
      <FileChoice label="Choose a profile" accept=".pop,.cbor,.pvti" onFiles={onFiles} />
      <RecentFiles recent={recent} onOpen={onOpen} />
      {problem && <Alert text={problem} />}
    </main>
  );
}
