// The chain that keeps a variable alive, as a graph with links: the steps and variables from which the variable was computed, and the steps
// and variables that still need it.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Profile, Variable } from '../../data/profile';
import { chainOf } from './chain';
import { type ChainNode, layoutChain } from './chainLayout';
import { bytes, middle } from '../../derived/format';
import { ProgramLink } from '../common';
import { VariableLink } from '../Variables';

const kRow = 3; // rem, height of a box with its margin
const kColumn = 20; // percent of the width
const kBox = 18; // percent of the width
const kMaxLetters = 19; // letters of a name; fewer next to the number of a step or in bold text
const kFewLetters = 15;

const kHeads = ['computed from', 'written by', '', 'read by', 'which write'];

function Box({ profile, node }: { readonly profile: Profile; readonly node: ChainNode }): JSX.Element {
  const place = { left: `${node.column * kColumn + (kColumn - kBox) / 2}%`, width: `${kBox}%`, top: `${node.row * kRow}rem` };
  const { variable } = node;
  return (
    <div
      class={`chainbox${node.column === 2 ? ' center' : ''}${node.step === null ? '' : ' step'}`}
      data-column={node.column}
      data-head={kHeads[node.column]}
      style={place}
    >
      {node.more > 0 && <span class="id">and {node.more} more</span>}
      {node.step !== null && <ProgramLink profile={profile} id={node.step} most={kFewLetters} />}
      {node.carrier !== '' && <div class="id">carried by the {node.carrier}</div>}
      {variable && node.column === 2 && <b title={variable.name}>{middle(variable.name || 'no name', kFewLetters)}</b>}
      {variable && node.column !== 2 && <VariableLink name={variable.name} id={variable.id} most={kMaxLetters} />}
      {variable && <div class="id">{bytes(node.bytes)}</div>}
    </div>
  );
}

export function ChainGraph({ profile, variable }: { readonly profile: Profile; readonly variable: Variable }): JSX.Element | null {
  const graph = useMemo(() => {
    const chain = chainOf(profile, variable);
    return chain && layoutChain(variable, chain);
  }, [profile, variable]);
  if (!graph) return null;
  const { nodes, edges, rows } = graph;
  const line = ([from, to]: readonly [number, number]) => {
    const [a, b] = [nodes[from], nodes[to]];
    if (!a || !b) return '';
    const [x1, x2] = [a.column * kColumn + (kColumn + kBox) / 2, b.column * kColumn + (kColumn - kBox) / 2];
    return `M${x1},${a.row} C${(x1 + x2) / 2},${a.row} ${(x1 + x2) / 2},${b.row} ${x2},${b.row}`;
  };
  return (
    <>
      <h3>What keeps it alive</h3>
      <div class="chain" role="group" aria-label="What keeps it alive">
        <div class="chainheads">
          {kHeads.map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
        <div class="chaingraph" style={{ height: `${rows * kRow}rem` }}>
          <svg viewBox={`0 0 100 ${rows}`} preserveAspectRatio="none" aria-hidden="true">
            {edges.map((edge) => (
              <path key={edge.join()} d={line(edge)} vector-effect="non-scaling-stroke" />
            ))}
          </svg>
          {nodes.map((node, i) => (
            <Box key={i} profile={profile} node={node} />
          ))}
        </div>
      </div>
    </>
  );
}
