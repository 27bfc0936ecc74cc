// Reads the host's trace (.pvti): one record per line, in the JSON format of Chrome's trace viewer (docs/TRACES.md).
import { visible } from './visible';

/** A span of the host; times are in microseconds since 1970. */
export interface HostSpan {
  readonly label: string;
  readonly channel: string;
  readonly lane: number; // position in HostTrace.lanes: each thread of a process is a lane
  readonly depth: number; // number of enclosing spans on its lane
  readonly from: number;
  readonly to: number;
}

export interface HostTrace {
  readonly lanes: readonly string[];
  readonly spans: readonly HostSpan[];
  readonly calls: readonly number[]; // times of the calls of Engine::run
}

interface Line {
  readonly ph?: unknown;
  readonly name?: unknown;
  readonly cat?: unknown;
  readonly pid?: unknown;
  readonly tid?: unknown;
  readonly ts?: unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? visible(value) : '');

/**
 * Reads a trace. Ignores an incomplete last line. A span without an end lasts until the last record of its lane. Throws with a sentence for
 * the user if the file is not a trace.
 */
export function readTrace(name: string, bytes: Uint8Array): HostTrace {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const lanes = new Map<
    string,
    { readonly index: number; last: number; readonly open: { label: string; channel: string; from: number }[] }
  >();
  const spans: HostSpan[] = [];
  lines.forEach((line, i) => {
    const whole = line.trim().replace(/^\[/, '').replace(/,$/, '');
    if (whole === '' || whole === ']') return;
    let record: Line;
    try {
      record = JSON.parse(whole) as Line;
    } catch {
      if (i === lines.length - 1) return;
      throw new Error(`${name}: line ${i + 1} is not a record of a trace.`);
    }
    if (i === 0 && textOf(record.name) !== 'popscope_pvti')
      throw new Error(`${name} is not a trace of a host: its first line is not that of a trace.`);
    if (typeof record.ts !== 'number') return;
    const key = `Process ${String(record.pid)}, thread ${String(record.tid)}`;
    let lane = lanes.get(key);
    if (!lane) lanes.set(key, (lane = { index: lanes.size, last: 0, open: [] }));
    lane.last = Math.max(lane.last, record.ts);
    if (record.ph === 'B') lane.open.push({ label: textOf(record.name), channel: textOf(record.cat), from: record.ts });
    else if (record.ph === 'E') {
      const begun = lane.open.pop();
      if (begun) spans.push({ ...begun, lane: lane.index, depth: lane.open.length, to: record.ts });
    }
  });
  if (spans.length === 0 && lanes.size === 0 && !lines[0]?.includes('popscope_pvti'))
    throw new Error(`${name} is not a trace of a host: it is empty.`);
  for (const lane of lanes.values()) lane.open.forEach((begun, depth) => spans.push({ ...begun, lane: lane.index, depth, to: lane.last }));
  const calls = spans.filter((s) => s.channel === 'poplar' && s.label.startsWith('run ')).map((s) => s.from);
  return {
    lanes: [...lanes.keys()],
    spans: spans.sort((a, b) => a.from - b.from || a.depth - b.depth),
    calls: calls.sort((a, b) => a - b),
  };
}
