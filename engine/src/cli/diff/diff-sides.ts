/** Loads the two configurations that `authgraph diff` compares. */
import type { AccessSide } from '../../simulate/access/access-side.ts';
import type { ConfigurationSource, SourcesOfSides } from '../../simulate/access/access-text.ts';
import { wantsColor } from '../color.ts';
import { type CommandArguments, fail } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type LoadedGraph, loadGraph } from '../load-graph.ts';
import { hasOidcFlags } from '../oidc-flags.ts';
import { targetSettings } from '../target-settings.ts';

/** The two configurations, their names for reports, and their files. */
export interface DiffSides {
  readonly before: AccessSide;
  readonly after: AccessSide;
  readonly names: { readonly before: string; readonly after: string };
  readonly sources: SourcesOfSides;
}

/** Loads both; one with errors ends the command, because the exit code 1 means a change. */
export const loadSides = async (read: CommandArguments, io: Io): Promise<DiffSides> => {
  const [first = '', second = first] = read.operands;
  // Sequential, because standard input can be read only once.
  const before = hasOidcFlags(read.values)
    ? await flagsSide(read, io)
    : await loadSide(read, first, io);
  const after = await loadSide(read, second, io);
  return sidesOf(before, after);
};

export const sidesOf = (before: Side, after: Side): DiffSides => ({
  before: before.side,
  after: after.side,
  names: { before: before.name, after: after.name },
  sources: { before: before.source, after: after.source },
});

export interface Side {
  readonly side: AccessSide;
  readonly name: string;
  readonly source: ConfigurationSource | undefined;
}

export const loadSide = async (read: CommandArguments, path: string, io: Io): Promise<Side> =>
  sideOf(path, await loadGraph(read, path, io, exitCodes.failed));

export const sideOf = (path: string, { graph, loaded }: LoadedGraph): Side => {
  const name = path === '-' ? 'standard input' : path;
  return loaded.kind === 'compiled'
    ? { side: { graph, origins: loaded.compilation.origins }, name, source: loaded }
    : { side: { graph }, name, source: undefined };
};

/** Compiles the flags of the command; errors in their values are printed. */
const flagsSide = async (read: CommandArguments, io: Io): Promise<Side> => {
  const { graphOfFlags } = await import('../migrate-flags.ts');
  const compiled = await graphOfFlags(read.values, targetSettings(read), io);
  if (compiled.kind === 'graph') {
    return { side: { graph: compiled.graph }, name: 'the --oidc-* flags', source: undefined };
  }
  const { renderText } = await import('../../diagnostics/render.ts');
  const color = wantsColor(read.values.string('color'), io.stderr, io);
  if (compiled.report !== undefined)
    io.stderr.write(renderText([compiled.report], { color, width: io.stderr.columns }));
  return fail(io, compiled.reason);
};
