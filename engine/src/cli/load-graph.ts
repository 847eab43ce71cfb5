/** Loads the graph for commands that need a valid configuration. */
import type { AuthenticatorGraph } from '../compile/graph.ts';
import { wantsColor } from './color.ts';
import { type CommandArguments, CommandEnd, fail } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type LoadedConfiguration, loadConfiguration, reportOf } from './load-configuration.ts';
import { settingsForFile } from './target-settings.ts';

export interface LoadedGraph {
  readonly graph: AuthenticatorGraph;
  readonly loaded: Exclude<LoadedConfiguration, { kind: 'failure' }>;
}

/**
 * Returns the graph, or ends the command with the errors of the configuration and the exit code for
 * them.
 */
export const loadGraph = async (
  read: CommandArguments,
  path: string,
  io: Io,
  codeOfErrors: ExitCode = exitCodes.problems,
): Promise<LoadedGraph> => {
  const loaded = await loadConfiguration(path, io, {
    settings: await settingsForFile(read, path, io),
    limits: 'warn',
  });
  if (loaded.kind === 'failure') return fail(io, loaded.reason, loaded.help);
  if (loaded.kind === 'artifact') return { graph: loaded.artifact.graph, loaded };
  const { graph } = loaded.compilation;
  if (graph !== undefined) return { graph, loaded };
  const { renderText } = await import('../diagnostics/render.ts');
  const report = reportOf(loaded);
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  io.stderr.write(
    renderText([{ source: report.source, diagnostics: errors }], {
      color: wantsColor(read.values.string('color'), io.stderr, io),
      width: io.stderr.columns,
    }),
  );
  throw new CommandEnd(codeOfErrors);
};
