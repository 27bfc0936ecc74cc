// The layers by path, and the memory, code or time of each: a flame graph or a treemap, and a table of the parts of the open path.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { drawFlamePaths, drawTreemap, kRow, layerColour, layerName, placesOfFlame, placesOfMap } from '../../draw/paths';
import { bytes, counted, integer, kUnknown, percent, signed } from '../../derived/format';
import { kMeasures, kNoTime, type Measure, pathTrees } from './paths';
import { flamePlaces, namedNodes, nodeAt, type PathNode, withPartsOf } from '../../derived/pathTree';
import { currentTheme } from '../../theme';
import { Card, Choice } from '../common';
import { Picture, type Point } from '../Picture';
import { Short } from '../Short';
import { type Column, shareColumn, Table } from '../Table';

const kMapHeight = 360;

/** A figure of a layer, or of several layers together. */
type Figure = Pick<PathNode, 'sum' | 'unknown'>;

const kNone: Figure = { sum: 0, unknown: false };

const together = (nodes: readonly PathNode[]): Figure => ({
  sum: nodes.reduce((sum, n) => sum + n.sum, 0),
  unknown: nodes.some((n) => n.unknown),
});

/** Returns sentences about the figures that the file lacks. */
function lacks(measure: Measure, tree: PathNode): string {
  if (!tree.children.some((child) => child.unknown)) return '';
  const figures = `The figure of their layers is a lower bound (≥) or unknown (${kUnknown})`;
  if (measure === 'flops') return ` The file lacks the operations of some vertices. ${figures}.`;
  return ` The file lacks the times of some steps. ${figures}${tree.unknown ? '' : `, and “${kNoTime}” has the rest of the runs`}.`;
}

/** Shows the path from the root as links. */
function Crumbs({ route, path }: { readonly route: Route; readonly path: string }): JSX.Element {
  const words = path === '' ? [] : path.split('/');
  return (
    <span>
      <a href={link('layers', { ...route.params, path: '' })}>all</a>
      {words.map((word, i) => (
        <>
          {' › '}
          <a key={i} href={link('layers', { ...route.params, path: words.slice(0, i + 1).join('/') })}>
            {word}
          </a>
        </>
      ))}
    </span>
  );
}

export function Layers(props: { readonly profile: Profile; readonly route: Route; readonly other: Profile | null }): JSX.Element {
  const { profile, route, other } = props;
  const [measure, what, unit] = kMeasures.find(([key]) => key === route.params.of) ?? kMeasures[0];
  const [first, second] = pathTrees(profile, other, measure);
  const tree = useMemo(() => (first && second ? withPartsOf(first, second) : first), [first, second]);
  const map = route.params.plot === 'map';
  const word = (route.params.find ?? '').trim();
  const root = useMemo(() => (tree ? nodeAt(tree, route.params.path ?? '') : null), [tree, route.params.path]);
  const hits = useMemo(() => (root ? namedNodes(root, word) : []), [root, word]);
  const found = useMemo(() => new Set(hits.map((node) => node.path)), [hits]);
  const theme = currentTheme();
  const show = (n: number) => (unit === 'B' ? bytes(n) : `${integer(n)}${unit === '' ? '' : ` ${unit}`}`);
  const atLeast = (n: Figure, number: (sum: number) => string = integer) =>
    !n.unknown ? number(n.sum) : n.sum > 0 ? `≥ ${number(n.sum)}` : kUnknown;
  const shareOf = (n: PathNode) => (tree?.unknown || (n.unknown && n.sum === 0) ? NaN : n.sum);
  const controls = (
    <div class="controls">
      <Choice
        label="Of"
        value={measure}
        options={kMeasures.map(([key, label]) => [key, label] as const)}
        onChange={(v: Measure) => setParams({ of: v, path: '' })}
      />
      <Choice
        label="Show"
        value={map ? 'map' : 'flame'}
        options={[
          ['flame', 'flame graph'],
          ['map', 'treemap'],
        ]}
        onChange={(v) => setParams({ plot: v })}
      />
      <input
        type="search"
        size={14}
        placeholder="Find a layer"
        aria-label="Find a layer"
        value={route.params.find ?? ''}
        onInput={(e) => setParams({ find: e.currentTarget.value })}
      />
    </div>
  );
  if (!tree || !root)
    return (
      <Card title="Layers" aside={controls}>
        <p class="empty">The profile has no {what}.</p>
      </Card>
    );
  const depth = flamePlaces(root, 1 / 2000).reduce((most, p) => Math.max(most, p.depth + 1), 1);
  const height = map ? kMapHeight : depth * kRow;
  const nodeUnder = (p: Point, w: number): PathNode | null =>
    (map ? placesOfMap(root, w, kMapHeight) : placesOfFlame(root, w))
      .filter((place) => p.x >= place.x && p.x < place.x + place.width && p.y >= place.y && p.y < place.y + place.height)
      .pop()?.node ?? null;
  const open = (node: PathNode) => (location.hash = link('layers', { ...route.params, path: node.path }));
  const inSecond = (path: string): PathNode | null => {
    const there = second ? nodeAt(second, path) : null;
    return there?.path === path ? there : null;
  };
  const itself = root.own > 0 || (inSecond(root.path)?.own ?? 0) > 0;
  const own: PathNode[] = itself ? [{ ...root, name: '(itself)', sum: root.own, children: [] }] : [];
  const rows = word === '' ? [...root.children, ...own] : hits;
  const before = (node: PathNode): number => {
    const there = inSecond(node.path);
    if (there?.unknown) return NaN;
    return there ? (node.name === '(itself)' ? there.own : there.sum) : 0;
  };
  const change = (n: PathNode): number => (n.unknown ? NaN : before(n) - n.sum);
  const compared: Column<PathNode>[] = second
    ? [
        { title: 'In the second', unit: unit, value: before },
        {
          title: 'Change',
          unit: unit,
          value: change,
          show: (n) => signed(change(n)),
        },
      ]
    : [];
  return (
    <Card
      title={`Layers by ${what}: ${atLeast(root, show)}${second ? `, in the second ${atLeast(inSecond(root.path) ?? kNone, show)}` : ''}`}
      aside={controls}
    >
      <p>
        <Crumbs route={route} path={root.path} />
        {word !== '' && `: ${counted(hits.length, 'part')} with “${word}” in the name, ${atLeast(together(hits), show)} together`}
      </p>
      <Picture
        title={`Layers by ${what}${root.path === '' ? '' : `: ${root.path}`}`}
        height={height}
        draw={(surface, w, h, t) => (map ? drawTreemap(surface, root, found, w, h, t) : drawFlamePaths(surface, root, found, w, t))}
        tip={(p, w) => {
          const node = nodeUnder(p, w);
          return node ? (
            <>
              <b>{node.path || 'all'}</b>
              <div>
                {atLeast(node, show)}
                {!tree.unknown && `, ${percent(node.sum, tree.sum)} of all`}
              </div>
              {node.children.length > 0 && node.own > 0 && <div>{show(node.own)} in this layer itself</div>}
            </>
          ) : null;
        }}
        onPick={(p, w) => {
          const node = nodeUnder(p, w);
          if (node) open(node.path === root.path && root.path !== '' ? nodeAt(tree, root.path.split('/').slice(0, -1).join('/')) : node);
        }}
      />
      <p class="hint">
        Click a part to open it; click the open part to go back. Names are split at each “/”, and the parts add up to the whole. Messages
        and rearrangements belong to the layer of the variable whose data they hold.
        {lacks(measure, tree)}
      </p>
      <Table
        label="Layers"
        rows={rows}
        height={420}
        onPick={open}
        columns={[
          {
            title: 'Layer',
            value: (n) => (word === '' ? layerName(n) : n.path),
            show: (n) => (
              <>
                <span class="swatch" style={{ background: layerColour(theme, n.path) }} />{' '}
                <Short name={word === '' ? layerName(n) : n.path} most={Infinity} beside={24} />
              </>
            ),
          },
          {
            title: unit === 'B' ? 'Bytes' : unit === 'cycles' ? 'Cycles' : 'Operations',
            unit: unit === 'cycles' ? '' : unit,
            value: (n) => (n.unknown && n.sum === 0 ? NaN : n.sum),
            show: (n) => atLeast(n),
          },
          shareColumn<PathNode>(shareOf, () => tree.sum, 'Of all'),
          { title: 'Parts', value: (n) => n.children.length },
          ...compared,
        ]}
      />
    </Card>
  );
}
