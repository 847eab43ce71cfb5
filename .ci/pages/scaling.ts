/** Generates test/scaling/README.md: the readers of untrusted text, and how they are tested. */
import { join } from 'node:path';
import { listReaders, type ReaderRow } from '../../test/scaling/reader-list.ts';

const root = join(import.meta.dirname, '../..');

const opening = `# Readers of untrusted text

This page lists every exported function, and every method of an exported class, that accepts text or bytes, with what the
scaling test does with it. The test calls each of them with hostile strings of growing length and fails if the processor
time grows more than linearly; \`AUTHGRAPH_SCALING=long npm run test:scaling\` uses all strings and longer ones.

A parameter counts if it is a string or bytes, a list, set or map of them, an object with such a member, or a type of
\`exported-readers.ts\` that carries text (header lists, source files, credentials). Parsed data, such as JSON values and
syntax trees, does not count: it comes from a reader that is listed here. A new function fails the test until it is called
(\`reader-arguments.ts\`, \`method-calls.ts\`) or listed with a reason (\`not-called.ts\`).

This page is made by \`npm run -s docs\`.
`;

/** `engine/src/cel`, `language-server/src` or `extension/src`. */
const folderOf = ({ file }: ReaderRow): string => {
  const [workspace, source, folder] = file.split('/');
  return workspace === 'engine' && folder !== undefined && !folder.endsWith('.ts')
    ? `${workspace}/${source}/${folder}`
    : `${workspace}/${source}`;
};

const isCalled = ({ kind }: ReaderRow): boolean => kind === 'function' || kind === 'method';

/** Lists names by file. */
const listOf = (rows: readonly ReaderRow[]): string =>
  [...Map.groupBy(rows, ({ file }) => file)]
    .map(([file, all]) => `- ${file}: ${all.map(({ name }) => `\`${name}\``).join(', ')}`)
    .join('\n');

const countsOf = (rows: readonly ReaderRow[]): string => {
  const folders = [...Map.groupBy(rows, folderOf)].map(([folder, all]) => ({ folder, all }));
  const line = (name: string, all: readonly ReaderRow[]): string => {
    const called = all.filter(isCalled).length;
    return `| ${name} | ${all.length} | ${called} | ${all.length - called} |`;
  };
  return [
    '| folder | readers | called | not called |',
    '|---|---|---|---|',
    ...folders.map(({ folder, all }) => line(folder, all)),
    line('all', rows),
  ].join('\n');
};

export const scalingPage = (): string => {
  const rows = listReaders(root);
  const reasons = Map.groupBy(rows, (row) => (row.kind === 'not called' ? row.reason : undefined));
  const notCalled = [...reasons]
    .filter(([reason]) => reason !== undefined)
    .map(([reason, all]) => `### ${reason?.replace(/\.$/, '')}\n\n${listOf(all)}`);
  return [
    opening,
    `## Counts\n\n${countsOf(rows)}`,
    `## Called\n\n${listOf(rows.filter(isCalled))}`,
    `## Not called\n\n${notCalled.join('\n\n')}\n`,
  ]
    .join('\n\n')
    .replace('.\n\n\n##', '.\n\n##');
};
