// Names with "/" as a tree that sums a figure. The tree shows which layer takes the memory, the code or the time.
//
//   Layer1            = Layer1/Fwd + Layer1/Wu + the figure with the name Layer1 itself
//     Fwd             = Layer1/Fwd/Multiply + <message:Layer1/Fwd/in> + ...
//
// Figures without a name form a part of their own, so that the parts of the root add up to the whole.
export interface PathNode {
  readonly name: string; // the last word of the path
  readonly path: string; // "" = the root
  readonly own: number; // the figure of exactly this name
  readonly sum: number; // own figure and those of all nodes below
  readonly unknown: boolean; // whether a figure of the node or below it is unknown; the sums are then lower bounds
  readonly children: readonly PathNode[]; // largest first
}

/**
 * Returns the words of a name. Text in braces or angle brackets belongs to one word. `<message:a/b>` stands for the message of a/b: its
 * last word is `<message>`.
 */
export function wordsOf(name: string): string[] {
  const kind = /^<([\w ]+):(.*)>$/s.exec(name);
  if (kind) return [...wordsOf(kind[2] ?? ''), `<${kind[1]}>`];
  const words: string[] = [];
  let depth = 0;
  let word = '';
  for (const c of name) {
    if (c === '{' || c === '<') ++depth;
    if (c === '}' || c === '>') --depth;
    if (c === '/' && depth <= 0) {
      if (word !== '') words.push(word);
      word = '';
    } else word += c;
  }
  if (word !== '') words.push(word);
  return words.length === 0 ? ['(no name)'] : words;
}

interface Growing {
  own: number;
  unknown: boolean;
  readonly children: Map<string, Growing>;
}

function finish(name: string, path: string, from: Growing): PathNode {
  const children = [...from.children]
    .map(([child, node]) => finish(child, path === '' ? child : `${path}/${child}`, node))
    .sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1));
  const unknown = from.unknown || children.some((child) => child.unknown);
  return { name, path, own: from.own, sum: children.reduce((all, child) => all + child.sum, from.own), unknown, children };
}

/** Builds a tree of named figures. NaN = unknown; sums are then those of the known figures. Ignores figures that are 0 or negative. */
export function treeOf(figures: Iterable<readonly [name: string, value: number]>): PathNode {
  const root: Growing = { own: 0, unknown: false, children: new Map() };
  for (const [name, value] of figures) {
    if (value <= 0) continue;
    let at = root;
    for (const word of wordsOf(name)) {
      let next = at.children.get(word);
      if (!next) at.children.set(word, (next = { own: 0, unknown: false, children: new Map() }));
      at = next;
    }
    if (Number.isNaN(value)) at.unknown = true;
    else at.own += value;
  }
  return finish('all', '', root);
}

/** Returns the node of a path; the root for "" and for a path that does not exist. */
export function nodeAt(root: PathNode, path: string): PathNode {
  if (path === '') return root;
  let at: PathNode | undefined = root;
  while (at && at.path !== path) {
    const below: PathNode = at;
    at = below.children.find((child) => path === child.path || path.startsWith(`${child.path}/`));
  }
  return at ?? root;
}

/** Returns a tree with the figures of the first tree. Parts that only the second tree has are included with figure 0. */
export function withPartsOf(first: PathNode, second: PathNode): PathNode {
  const there = new Map(second.children.map((child) => [child.name, child]));
  const children = first.children.map((child) => {
    const other = there.get(child.name);
    there.delete(child.name);
    return other ? withPartsOf(child, other) : child;
  });
  const added = [...there.values()].map((child) => withPartsOf({ ...child, own: 0, sum: 0, unknown: false, children: [] }, child));
  return { ...first, children: [...children, ...added] };
}

/** Returns the nodes whose name contains a word, in any case. Of nested matches, returns only the outermost. */
export function namedNodes(root: PathNode, word: string): PathNode[] {
  const lower = word.toLowerCase();
  const out: PathNode[] = [];
  const visit = (node: PathNode) => {
    if (node.path !== '' && node.name.toLowerCase().includes(lower)) out.push(node);
    else node.children.forEach(visit);
  };
  if (lower !== '') visit(root);
  return out;
}

/**
 * A rectangle of a picture. In a flame graph, x and width are shares of the picture's width, and y and height are rows. In a treemap, all
 * lengths are pixels.
 */
export interface Place {
  readonly node: PathNode;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lays out a flame graph: each level is one row below its parent. Leaves out rectangles narrower than `least`. */
export function flamePlaces(root: PathNode, least: number): Place[] {
  const out: Place[] = [];
  const visit = (node: PathNode, depth: number, x: number, width: number) => {
    if (width < least) return;
    out.push({ node, depth, x, y: depth, width, height: 1 });
    let at = x;
    for (const child of node.children) {
      const wide = node.sum > 0 ? (width * child.sum) / node.sum : 0;
      visit(child, depth + 1, at, wide);
      at += wide;
    }
  };
  visit(root, 0, 0, 1);
  return out;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Splits a box into parts with areas in proportion to the sums of nodes, as square as possible (Bruls, Huizing, van Wijk 2000). Fills the
 * box row by row along its shorter side. Nodes come largest first.
 */
function squarified(nodes: readonly PathNode[], box: Box): readonly (readonly [PathNode, Box])[] {
  const out: (readonly [PathNode, Box])[] = [];
  let { x, y, width, height } = box;
  let rest = nodes.reduce((sum, node) => sum + node.sum, 0);
  for (let from = 0; from < nodes.length && width > 0 && height > 0 && rest > 0;) {
    const scale = (width * height) / rest;
    const side = Math.min(width, height);
    let end = from;
    let sum = 0;
    let worst = Infinity;
    // The first part of a row is its largest, the last its smallest. A row grows as long as the part that is least like a square becomes
    // more square.
    for (; end < nodes.length; ++end) {
      const next = sum + (nodes[end]?.sum ?? 0);
      const area = next * scale;
      const [most, least] = [(nodes[from]?.sum ?? 0) * scale, (nodes[end]?.sum ?? 0) * scale];
      const ratio = Math.max((side * side * most) / (area * area), (area * area) / (side * side * least));
      if (ratio > worst) break;
      [worst, sum] = [ratio, next];
    }
    const thick = (sum * scale) / side;
    let at = 0;
    for (; from < end; ++from) {
      const node = nodes[from];
      if (!node) continue;
      const long = (node.sum * scale) / thick;
      out.push([node, width <= height ? { x: x + at, y, width: long, height: thick } : { x, y: y + at, width: thick, height: long }]);
      at += long;
    }
    if (width <= height) [y, height] = [y + thick, height - thick];
    else [x, width] = [x + thick, width - thick];
    rest -= sum;
  }
  return out;
}

const kHead = 15; // pixels for the name of a part with children
const kLeastBox = 3; // pixels

/**
 * Lays out `deep` levels of a treemap in a box of pixels. A parent's own figure (PathNode) leaves a part of the parent's box empty.
 */
export function treemapPlaces(root: PathNode, width: number, height: number, deep: number): Place[] {
  const out: Place[] = [];
  const visit = (node: PathNode, depth: number, box: Box) => {
    out.push({ node, depth, ...box });
    if (depth >= deep || box.width < 30 || box.height < 2 * kHead) return;
    const own: PathNode[] = node.own > 0 ? [{ ...node, name: '', sum: node.own, children: [] }] : [];
    const parts = [...node.children, ...own].sort((a, b) => b.sum - a.sum);
    if (node.children.length === 0) return;
    const inner = depth === 0 ? box : { x: box.x + 2, y: box.y + kHead, width: box.width - 4, height: box.height - kHead - 2 };
    for (const [part, place] of squarified(parts, inner))
      if (part.path !== node.path && place.width >= kLeastBox && place.height >= kLeastBox) visit(part, depth + 1, place);
  };
  visit(root, 0, { x: 0, y: 0, width, height });
  return out;
}
