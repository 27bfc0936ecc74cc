// Converts the spans of the host to the clock of a run. Cycle 0 is the time at which the host called the run, as in
// `popscope export --pvti`.
import type { Profile, Run } from '../../data/profile';
import type { HostTrace } from '../../data/trace';

export interface SpanOfRun {
  readonly label: string;
  readonly channel: string;
  readonly level: number; // row of the span; the lanes are stacked, each with one row per depth
  readonly from: number; // cycles from the start of the run; negative before the start
  readonly to: number;
}

/**
 * Returns the time at which the host called a run, in microseconds of the clock of the host; NaN if neither profile nor trace states it.
 */
function calledAt(profile: Profile, run: Run, trace: HostTrace): number {
  const first = trace.spans.reduce((least, s) => Math.min(least, s.from), Infinity);
  const [start = NaN] = profile.db.numbers('SELECT start_us FROM runs WHERE id = ?', [run.id]);
  return start > first ? start : (trace.calls[run.number] ?? NaN);
}

/** Returns the spans of the host in cycles; null if the time of the run on the clock of the host is unknown. */
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
