/** A process for commands under test: files in memory, output as text. */

import type { FileText, Io, Stream } from '../../engine/src/cli/io.ts';
import { runCli } from '../../engine/src/cli/run.ts';

export interface CapturedRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Written files, by path. */
  readonly written: ReadonlyMap<string, string>;
}

export interface CapturedOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** The files of Git revisions, by `REVISION:PATH`. */
  readonly revisions?: Readonly<Record<string, string | FileText>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** The IDs of other users who own files or folders, by path. */
  readonly owners?: Readonly<Record<string, number>>;
  readonly terminal?: { readonly columns: number };
  readonly signal?: AbortSignal;
}

export interface CapturedIo {
  readonly io: Io;
  readonly out: { readonly stdout: string; readonly stderr: string };
  readonly written: ReadonlyMap<string, string>;
}

/** Standard input is the file `-`. */
export const capturedIo = ({
  files = {},
  revisions = {},
  variables = {},
  owners = {},
  terminal,
  signal,
}: CapturedOptions = {}): CapturedIo => {
  const text = new Map(Object.entries(files));
  const written = new Map<string, string>();
  const out = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): Stream => ({
    write(more) {
      out[name] += more;
    },
    replaceLine(text) {
      if (terminal !== undefined) out[name] += `\r${text}\u001b[K`;
    },
    isTerminal: terminal !== undefined,
    columns: terminal?.columns ?? 80,
  });
  const io: Io = {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    listFolder: (path) => listFolder([...text.keys()], path),
    isFile: (path) => text.has(path),
    otherOwner: (path) => owners[path],
    async replaceText(path, before, after) {
      if (text.get(path) !== before) throw new Error(`${path} has other content`);
      text.set(path, after);
      written.set(path, after);
      return undefined;
    },
    readText(path) {
      const found = text.get(path);
      return Promise.resolve(
        found === undefined
          ? { kind: 'failure', reason: `open ${path}: no such file or directory` }
          : { kind: 'text', text: found },
      );
    },
    readRevision(name) {
      const found = revisions[name];
      if (typeof found === 'object') return Promise.resolve(found);
      return Promise.resolve(found === undefined ? undefined : { kind: 'text', text: found });
    },
    listRevision(name) {
      const prefix = `${name.replace(/\/+$/, '')}/`;
      const inside = Object.entries(revisions).filter(([path]) => path.startsWith(prefix));
      if (inside.length === 0) return Promise.resolve(undefined);
      const blobByPath = new Map(inside.map(([path]) => [path.slice(prefix.length), '']));
      return Promise.resolve({ kind: 'listing', blobByPath });
    },
    findInRevision(name, fileName) {
      const [, revision = '', path = ''] = /^([^:]+:)(.+)$/s.exec(name) ?? [];
      const folders = path.split('/').slice(0, -1);
      const names = [...folders.keys(), folders.length]
        .reverse()
        .map((count) => revision + [...folders.slice(0, count), fileName].join('/'));
      const found = names.find((one) => revisions[one] !== undefined);
      return Promise.resolve(
        found === undefined
          ? { top: undefined, unusable: [] }
          : { name: found, target: found, top: undefined, unusable: [] },
      );
    },
    writeText(path, content) {
      if (path === '-') out.stdout += content;
      else written.set(path, content);
      return Promise.resolve(undefined);
    },
    // Other threads cannot read files in memory.
    maxThreads: 1,
    variable: (name) => variables[name],
    signal: signal ?? new AbortController().signal,
    onHangup: () => {},
    onProcessNotice: () => {},
  };
  return { io, out, written };
};

/** Lists a folder of the files in memory. */
const listFolder = (paths: readonly string[], folder: string): ReturnType<Io['listFolder']> => {
  const prefix = `${folder.replace(/\/+$/, '')}/`;
  const inside = paths.filter((path) => path.startsWith(prefix));
  if (inside.length === 0) return undefined;
  const kinds = new Map(
    inside.map((path) => {
      const [name = '', ...below] = path.slice(prefix.length).split('/');
      return [name, below.length === 0 ? ('file' as const) : ('folder' as const)];
    }),
  );
  return Array.from(kinds, ([name, kind]) => ({ name, kind })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
};

/** Runs `authgraph …args`. */
export const runCaptured = async (
  args: readonly string[],
  options: CapturedOptions = {},
): Promise<CapturedRun> => {
  const { io, out, written } = capturedIo(options);
  const code = await runCli(args, io);
  return { code, ...out, written };
};
