/** `authgraph lsp`: runs the language server for editors. */
import { isatty } from 'node:tty';
import { defineCommand, fail } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { findLanguageServer } from '../language-server.ts';

export const lsp = defineCommand({
  name: 'lsp',
  usage: '--stdio',
  about:
    'Runs the language server for an editor over standard input and output. It is a separate package, @authgraph/language-server, which must be installed alongside this program.',
  flags: [
    {
      name: 'stdio',
      group: 'Connection',
      type: 'bool',
      doc: 'Use standard input and output, which is the only transport and therefore optional.',
    },
  ],
  examples: [{ line: 'authgraph lsp --stdio', does: 'the command for an editor' }],
  run: (_, io) => runLsp(io),
});

const runLsp = async (io: Io): Promise<ExitCode> => {
  const start = findLanguageServer();
  if (start === undefined) {
    return fail(
      io,
      'the language server is not installed',
      'Install it alongside authgraph: npm install @authgraph/language-server',
    );
  }
  if (isatty(0))
    io.stderr.write(
      'authgraph lsp speaks the Language Server Protocol on standard input and output. Editors start it; Ctrl-C ends it.\n',
    );
  const code = await start(io.signal);
  if (code === undefined) return fail(io, 'the language server could not be started');
  return code === 0 ? exitCodes.ok : exitCodes.problems;
};
