/** `authgraph compile FILE --out ARTIFACT`: writes the graph as an artifact. */

import { hashGraph, writeArtifact } from '../../compile/artifact.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import { nodeDigest } from '../../node/digest.ts';
import { escapeJsonLine } from '../../source/unprintable.ts';
import {
  type CommandArguments,
  configFlag,
  configurationPath,
  defineCommand,
  fail,
  outFlag,
  targetVersionFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';

export const compile = defineCommand({
  name: 'compile',
  usage: '[flags] FILE --out ARTIFACT',
  about:
    'Writes the compiled graph as JSON, which serve, whoami and the library load without compiling. The output is deterministic for a file and a target version. It contains the CA certificates of issuers, but no keys or secrets.',
  flags: [{ ...configFlag, doc: 'Configuration file.' }, outFlag, targetVersionFlag],
  examples: [
    {
      line: 'authgraph compile auth.yaml --out auth.authgraph.json',
      does: 'then: authgraph serve --authentication-config auth.authgraph.json',
    },
  ],
  operands: [0, 1],
  run: (read, io) => runCompile(read, io),
});

const runCompile = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const path = configurationPath(read);
  const loadedGraph = await loadGraph(read, path, io);
  const { graph, loaded } = loadedGraph;
  if (loaded.kind === 'artifact') return fail(io, `${path} is already an artifact`);
  const digest = nodeDigest();
  const out = read.values.string('out');
  // Escaped because standard output can be a terminal; the JSON means the same.
  const text = escapeJsonLine(
    writeArtifact(graph, loaded.compilation.document.source.text, digest),
  );
  const failure = await io.writeText(out, text);
  if (failure !== undefined) return fail(io, failure.reason);
  if (out !== '-')
    io.stderr.write(`wrote ${toPrintable(out)}: graph sha256:${hashGraph(graph, digest)}\n`);
  return exitCodes.ok;
};
