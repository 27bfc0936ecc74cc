// The graph of the chain that keeps a variable alive: one box per step and variable, and lines for reads and writes.
import { describe, expect, it } from 'vitest';
import type { Chain } from '../src/views/liveness/chain';
import { layoutChain } from '../src/views/liveness/chainLayout';
import type { Variable } from '../src/data/types';

const variable = (id: number, name: string) =>
  ({ id, name, category: 'variable', bytes: 4 * id, alwaysLive: false }) as unknown as Variable;
const group = (id: number, name: string) => ({ first: variable(id, name), bytes: 4 * id, read: 1, written: 1, undefined: 0 });

describe('the chain of a variable', () => {
  it('joins what two steps have in common, and draws each line once', () => {
    const chain: Chain = {
      before: [
        { step: 3, carrier: '', variables: [group(1, 'images')] },
        { step: 8, carrier: '', variables: [group(1, 'images'), group(2, 'weights')] },
      ],
      after: [{ step: 4, carrier: 'loop', variables: [group(5, 'sums')] }],
    };
    const { nodes, edges, rows } = layoutChain(variable(9, 'copy'), chain);
    const label = (i: number) => nodes[i]?.variable?.name ?? `step ${nodes[i]?.step}`;
    expect(edges.map(([a, b]) => `${label(a)} > ${label(b)}`).sort()).toEqual([
      'copy > step 4',
      'images > step 3',
      'images > step 8',
      'step 3 > copy',
      'step 4 > sums',
      'step 8 > copy',
      'weights > step 8',
    ]);
    for (const [a, b] of edges) expect((nodes[b]?.column ?? 0) - (nodes[a]?.column ?? 0)).toBe(1);
    expect(rows).toBe(2);
    expect(nodes.find((n) => n.column === 2)?.row).toBe(1); // in the middle
    expect(nodes.find((n) => n.step === 4)?.carrier).toBe('loop');
  });

  it('says how many boxes it leaves out, and lays none over another', () => {
    const links = Array.from({ length: 20 }, (_, i) => ({
      step: 100 + i,
      carrier: '',
      variables: Array.from({ length: 10 }, (_, k) => group(10 * i + k, `v${10 * i + k}`)),
    }));
    const { nodes } = layoutChain(variable(9, 'copy'), { before: links, after: [] });
    expect(nodes.filter((n) => n.column === 1).reduce((sum, n) => sum + (n.more || 1), 0)).toBe(20);
    expect(nodes.filter((n) => n.column === 0).reduce((sum, n) => sum + (n.more || 1), 0)).toBe(80); // boxes of the eight shown steps
    const places = nodes.map((n) => `${n.column} ${n.row}`);
    expect(new Set(places).size).toBe(places.length);
  });
});
