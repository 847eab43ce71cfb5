/** `authgraph graph FILE`: the configuration as the graph it compiles to. */
import { canonicalJson } from '../../compile/canonical-json.ts';
import { graphDot, graphMermaid, graphText } from '../../compile/explain.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { type Command, commonFlags, readArguments, targetVersionFlag } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';

export const graph: Command = {
  name: 'graph',
  usage: '[flags] FILE|ARTEFACT',
  about:
    'Compiles a configuration and shows the graph that a request walks through: as sentences, as data, or as a picture.',
  flags: [
    {
      name: 'format',
      shorthand: 'f',
      group: 'Output',
      type: 'string',
      choices: ['text', 'json', 'mermaid', 'dot'],
      default: 'text',
      doc: 'Sentences, JSON, a flow chart for Mermaid, or a digraph for Graphviz.',
    },
    targetVersionFlag,
    ...commonFlags,
  ],
  examples: [
    { line: 'authgraph graph auth.yaml', does: 'what the file means, one sentence a part' },
    { line: 'authgraph graph --format dot auth.yaml | dot -Tsvg > auth.svg', does: 'a picture' },
  ],
  run: (args, io) => runGraph(args, io),
};

const runGraph = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const read = await readArguments(graph, args, io, {
    operands: [1, 1],
    missing: 'name a configuration file or an artefact',
  });
  if (typeof read === 'number') return read;
  const loaded = await loadGraph(graph, read, read.operands[0] ?? '-', io);
  if (typeof loaded === 'number') return loaded;
  io.stdout.write(shown(loaded.graph, read.values.text('format')));
  return exitCodes.ok;
};

const shown = (compiled: AuthenticatorGraph, format: string): string => {
  if (format === 'mermaid') return graphMermaid(compiled);
  if (format === 'dot') return graphDot(compiled);
  if (format === 'json')
    // Sorted members, so that two graphs can be compared line by line.
    return `${JSON.stringify({ graph: JSON.parse(canonicalJson(compiled)), version: 1 }, undefined, 2)}\n`;
  return graphText(compiled);
};
