// Spans of the host on the clock of a run: its cycle 0 is when the host called it, as in `popscope export --pvti`.
import type { Profile, Run } from '../../data/profile';
import type { HostTrace } from '../../data/trace';

export interface SpanOfRun {
  readonly label: string;
  readonly channel: string;
  readonly level: number; // of all lanes, one below the other
  readonly from: number; // cycles from the start of the run; below 0: before it
  readonly to: number;
}

/** When the host called a run, in its microseconds; NaN: the trace does not say. */
function calledAt(profile: Profile, run: Run, trace: HostTrace): number {
  const first = trace.spans.reduce((least, s) => Math.min(least, s.from), Infinity);
  const [start = NaN] = profile.db.numbers('SELECT start_us FROM runs WHERE id = ?', [run.id]);
  return start > first ? start : (trace.calls[run.number] ?? NaN);
}

/** Null: it is not known where on the host's clock the run is. */
export function hostSpans(profile: Profile, run: Run, trace: HostTrace): readonly SpanOfRun[] | null {
  const start = calledAt(profile, run, trace);
  const perMicrosecond = profile.target.clockHz / 1e6;
  if (!Number.isFinite(start) || !(perMicrosecond > 0)) return null;
  const heights = trace.lanes.map((_, lane) => trace.spans.reduce((most, s) => (s.lane === lane ? Math.max(most, s.depth + 1) : most), 0));
  const tops = heights.map((_, lane) => heights.slice(0, lane).reduce((sum, h) => sum + h, 0));
  return trace.spans.map((s) => ({
    label: s.label,
    channel: s.channel,
    level: (tops[s.lane] ?? 0) + s.depth,
    from: (s.from - start) * perMicrosecond,
    to: (s.to - start) * perMicrosecond,
  }));
}
