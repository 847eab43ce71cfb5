/** `authgraph lsp`: runs the language server for editors. */

import { type Command, commonFlags, fail, readArguments } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { languageServerPath, runProgram } from '../sibling-packages.ts';

export const lsp: Command = {
  name: 'lsp',
  usage: '--stdio',
  about:
    'Runs the language server for an editor over standard input and output. It is a separate package, @authgraph/language-server, which must be installed alongside this program.',
  flags: [
    {
      name: 'stdio',
      group: 'Connection',
      type: 'bool',
      default: 'false',
      doc: 'Use standard input and output, which is the only transport and therefore optional.',
    },
    ...commonFlags,
  ],
  examples: [{ line: 'authgraph lsp --stdio', does: 'the command for an editor' }],
  run: (args, io) => runLsp(args, io),
};

const runLsp = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const read = await readArguments(lsp, args, io, { operands: [0, 0], missing: '' });
  if (typeof read === 'number') return read;
  const path = languageServerPath();
  if (path === undefined) {
    return fail(
      io,
      'the language server is not installed',
      'Install it alongside authgraph: npm install @authgraph/language-server',
    );
  }
  const code = await runProgram(path, ['--stdio'], io.signal);
  if (code === undefined) return fail(io, 'the language server could not be started');
  return code === 0 ? exitCodes.ok : exitCodes.problems;
};
