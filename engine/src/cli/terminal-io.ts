/**
 * The output streams of commands. Commands print text from files, tokens, issuers and servers:
 * control characters, line separators and bidirectional controls in it are printed as `\uXXXX`
 * escapes, which keep JSON valid, so they never reach a terminal or a CI log.
 */
import { escapeText } from '../source/unprintable.ts';
import { wantsColor } from './color.ts';
import type { Io, Stream } from './io.ts';

/** Returns an `Io` whose streams escape the output of commands. */
export const terminalIo = (io: Io, args: readonly string[]): Io => {
  const color = colorChoice(args);
  let stdout: Stream | undefined;
  let stderr: Stream | undefined;
  const output = (): Stream => {
    stdout ??= escapingStream(io.stdout, wantsColor(color, io.stdout, io));
    return stdout;
  };
  return {
    programName: io.programName,
    get stdout() {
      return output();
    },
    get stderr() {
      stderr ??= escapingStream(io.stderr, wantsColor(color, io.stderr, io));
      return stderr;
    },
    readText: (path, maxBytes) => io.readText(path, maxBytes),
    readRevision: (name) => io.readRevision(name),
    listRevision: (name) => io.listRevision(name),
    findInRevision: (name, fileName) => io.findInRevision(name, fileName),
    listFolder: (path) => io.listFolder(path),
    isFile: (path) => io.isFile(path),
    otherOwner: (path) => io.otherOwner(path),
    replaceText: (path, before, after) => io.replaceText(path, before, after),
    async writeText(path, text) {
      // A document written to a file keeps every byte.
      if (path !== '-' || !io.stdout.isTerminal) return io.writeText(path, text);
      output().write(text);
      return undefined;
    },
    maxThreads: io.maxThreads,
    variable: (name) => io.variable(name),
    get signal() {
      return io.signal;
    },
    onHangup: (listener) => io.onHangup(listener),
    onProcessNotice: (listener) => io.onProcessNotice(listener),
  };
};

/** Returns the value of `--color` before a command has parsed its flags. */
const colorChoice = (args: readonly string[]): string => {
  for (const [index, argument] of args.entries()) {
    if (argument === '--') break;
    if (argument === '--color') return args[index + 1] ?? '';
    if (argument.startsWith('--color=')) return argument.slice('--color='.length);
  }
  return 'auto';
};

const escapingStream = (stream: Stream, hasColor: boolean): Stream => ({
  write: (text) => stream.write(escapeOutput(text, hasColor)),
  replaceLine: (text) => stream.replaceLine(escapeOutput(text, hasColor)),
  isTerminal: stream.isTerminal,
  columns: stream.columns,
});

const escapeOutput = (text: string, hasColor: boolean): string =>
  hasColor ? escapeText(text, layoutAndColor) : escapeText(text);

/** Tabs, line ends and the SGR colors of commands, none of which can hide text. */
const layoutAndColor = /(\t|\r?\n|\u001b\[(?:[012]|(?:1;)?3[1-6])m)/;
