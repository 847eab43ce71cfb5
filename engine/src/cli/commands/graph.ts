/** `authgraph graph FILE`: shows the compiled graph. */
import { canonicalJson } from '../../compile/canonical-json.ts';
import { graphDot, graphMermaid, graphText } from '../../compile/explain.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { GraphPath } from '../../compile/graph-lanes.ts';
import { graphSvg } from '../../compile/graph-svg.ts';
import {
  type CommandArguments,
  configFlag,
  configurationPath,
  defineCommand,
  oneStandardInput,
  outFlag,
  outputFlag,
  stringFlag,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';
import { readClaimsArgument, sampleName } from '../read-claims.ts';

export const graph = defineCommand({
  name: 'graph',
  usage: '[flags] FILE',
  about:
    'Compiles a configuration and shows the graph that requests pass through: as sentences, as data or as a picture.',
  flags: [
    configFlag,
    {
      ...outputFlag,
      choices: ['text', 'json', 'mermaid', 'dot', 'svg'],
      doc: 'Output format: sentences, JSON, a Mermaid flowchart, a Graphviz digraph or an SVG picture.',
    },
    outFlag,
    stringFlag(
      'Input',
      'claims',
      'FILE',
      'Show the path of these claims: a JSON object, or YAML if the file name ends in .yaml or .yml. For text, mermaid and svg.',
    ),
    targetVersionFlag,
  ],
  examples: [
    { line: 'authgraph graph auth.yaml', does: 'what the file means, one sentence per part' },
    { line: 'authgraph graph auth.yaml -o svg --out auth.svg', does: 'a picture' },
    {
      line: 'authgraph graph auth.yaml -o svg --claims jane.claims.json --out jane.svg',
      does: 'the path of these claims through it',
    },
  ],
  operands: [0, 1],
  run: (read, io) => runGraph(read, io),
});

const runGraph = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const file = configurationPath(read);
  const problem = misuse(read, file);
  if (problem !== undefined) return read.misuse(problem);
  const loaded = await loadGraph(read, file, io);
  const path = await pathOf(loaded.graph, values.string('claims'), io);
  const text = rendered(loaded.graph, values.string('output'), path);
  await writeResult(text, read, io);
  return exitCodes.ok;
};

const misuse = ({ values }: CommandArguments, file: string): string | undefined => {
  const claims = values.string('claims');
  if (claims === '') return undefined;
  if (claims === '-' && file === '-') return oneStandardInput;
  return ['json', 'dot'].includes(values.string('output'))
    ? `--claims cannot be used with --output ${values.string('output')}`
    : undefined;
};

const pathOf = async (
  compiled: AuthenticatorGraph,
  claimsPath: string,
  io: Io,
): Promise<GraphPath | undefined> => {
  if (claimsPath === '') return undefined;
  const claims = await readClaimsArgument(claimsPath, io);
  const { graphPath } = await import('../../simulate/preview/graph-path.ts');
  return graphPath(compiled, claims, { name: sampleName(claimsPath), now: Date.now() });
};

const rendered = (
  compiled: AuthenticatorGraph,
  format: string,
  path: GraphPath | undefined,
): string => {
  if (format === 'svg') return graphSvg(compiled, { path, for: 'file' });
  if (format === 'mermaid') return graphMermaid(compiled, path);
  if (format === 'dot') return graphDot(compiled);
  if (format === 'json')
    // Sorted members let two graphs be compared line by line.
    return `${JSON.stringify({ graph: JSON.parse(canonicalJson(compiled)), version: 1 }, undefined, 2)}\n`;
  return graphText(compiled, path);
};
