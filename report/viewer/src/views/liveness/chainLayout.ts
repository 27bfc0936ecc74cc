// The chain of a variable as a graph in five columns, in the order of time from left to right:
//
//   variables that the writers read | steps that write it | the variable | steps that read it | variables that the readers write
//
// A step or a variable has at most one box per column, however many lines lead to the box.
import type { Variable } from '../../data/types';
import type { Chain, Link } from './chain';

const kMaxLinks = 8; // steps per side
const kMaxVariables = 6; // variables per step

export interface ChainNode {
  readonly column: 0 | 1 | 2 | 3 | 4;
  readonly row: number; // row of the middle of the box; a row is as high as a box
  readonly step: number | null; // null except in columns 1 and 3
  readonly carrier: string; // the construct that carries the value to the step: loop, call, next run, or empty
  readonly variable: Variable | null; // null except in columns 0, 2 and 4
  readonly bytes: number;
  readonly more: number; // number of omitted boxes that this box replaces
}

export interface ChainGraph {
  readonly nodes: readonly ChainNode[];
  readonly edges: readonly (readonly [from: number, to: number])[]; // by index into `nodes`
  readonly rows: number;
}

type Draft = Omit<ChainNode, 'row'>;

/**
 * Builds one side of the graph: the boxes, the pairs (step box, variable box) that a line connects, and the list of step boxes. Lines
 * connect all step boxes to the box in the middle.
 */
function side(links: readonly Link[], stepColumn: 1 | 3, variableColumn: 0 | 4) {
  const nodes: Draft[] = [];
  const steps: number[] = []; // boxes of steps
  const pairs: (readonly [number, number])[] = [];
  const boxes = new Map<string, number>();
  const none = { step: null, carrier: '', variable: null, bytes: NaN, more: 0 };
  const put = (node: Draft): number => nodes.push(node) - 1;
  for (const link of links.slice(0, kMaxLinks)) {
    const step = put({ ...none, column: stepColumn, step: link.step, carrier: link.carrier });
    steps.push(step);
    for (const group of link.variables.slice(0, kMaxVariables)) {
      const key = `${group.first.category} ${group.first.name}`;
      const box = boxes.get(key) ?? put({ ...none, column: variableColumn, variable: group.first, bytes: group.bytes });
      boxes.set(key, box);
      pairs.push([step, box]);
    }
    const rest = link.variables.length - kMaxVariables;
    if (rest > 0) pairs.push([step, put({ ...none, column: variableColumn, more: rest })]);
  }
  if (links.length > kMaxLinks) put({ ...none, column: stepColumn, more: links.length - kMaxLinks });
  return { nodes, steps, pairs };
}

export function layoutChain(variable: Variable, chain: Chain): ChainGraph {
  const before = side(chain.before, 1, 0);
  const after = side(chain.after, 3, 4);
  const drafts: Draft[] = [
    ...before.nodes,
    { column: 2, step: null, carrier: '', variable, bytes: variable.bytes, more: 0 },
    ...after.nodes,
  ];
  const centre = before.nodes.length;
  const counts = [0, 1, 2, 3, 4].map((column) => drafts.filter((node) => node.column === column).length);
  const rows = Math.max(...counts, 1);
  const placed = [0, 0, 0, 0, 0];
  const nodes = drafts.map((node): ChainNode => {
    const { column } = node;
    // Centres each column vertically.
    return { ...node, row: (rows - (counts[column] ?? 0)) / 2 + placed[column]!++ + 0.5 };
  });
  const edges = [
    ...before.pairs.map(([step, box]) => [box, step] as const),
    ...before.steps.map((step) => [step, centre] as const),
    ...after.steps.map((step) => [centre, centre + 1 + step] as const),
    ...after.pairs.map(([step, box]) => [centre + 1 + step, centre + 1 + box] as const),
  ];
  return { nodes, edges, rows };
}
