/** `authgraph lsp`: the language server, for editors that start programs. */

import { type Command, commonFlags, fail, readArguments } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { languageServerPath, runProgram } from '../sibling-packages.ts';

export const lsp: Command = {
  name: 'lsp',
  usage: '--stdio',
  about:
    'Runs the language server for an editor, which speaks to it over standard input and output. It is a package of its own, @authgraph/language-server, and is looked for beside this program.',
  flags: [
    {
      name: 'stdio',
      group: 'Connection',
      type: 'bool',
      default: 'false',
      doc: 'Speak over standard input and output. Nothing else is offered; editors name it all the same.',
    },
    ...commonFlags,
  ],
  examples: [{ line: 'authgraph lsp --stdio', does: 'what an editor is told to start' }],
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
      'Install it beside authgraph: npm install @authgraph/language-server',
    );
  }
  const code = await runProgram(path, ['--stdio'], io.signal);
  if (code === undefined) return fail(io, 'the language server could not be started');
  return code === 0 ? exitCodes.ok : exitCodes.problems;
};
