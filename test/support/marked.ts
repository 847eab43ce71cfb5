/**
 * Marker fixtures: a file of sections, each with a header line `=== …`. Text before the first header is
 * the document `auth.yaml`. Cursors stand as `<|>` in the documents and are taken out.
 *
 *     === file jane.claims.yaml     a further document of the workspace
 *     === samples standard          the documents of test/language-server/samples/standard.txt
 *     === configuration mappings    the lines of test/language-server/configuration/mappings.txt, with which
 *                                   a document begins; answers count them as lines of the document
 *     === closed other.yaml         a file of the workspace that is not open
 *     === choose jane               the sample that previews show
 *     === settings {"outline":"off"}
 *     === ask groups                what else the feature is asked: a new name
 *     === expect                    the answer, as the feature's test prints it
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Cursor {
  /** Name of the document. */
  readonly file: string;
  /** UTF-16 offset in its text without markers. */
  readonly offset: number;
}

export interface MarkedFixture {
  /** The document under test first. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of those that are not open. */
  readonly closed: ReadonlySet<string>;
  readonly cursors: readonly Cursor[];
  readonly chosen: string | undefined;
  readonly settings: object;
  readonly asked: string;
  readonly expected: string;
}

const cursorMark = '<|>';

export const readMarked = (text: string): MarkedFixture => {
  const files = new Map<string, string>();
  const closed = new Set<string>();
  const cursors: Cursor[] = [];
  let chosen: string | undefined;
  let settings: object = {};
  let asked = '';
  let expected: string | undefined;
  for (const { header, body } of sectionsOf(expandIncludes(text))) {
    const [, word = '', rest = ''] = /^(\w+) ?(.*)$/.exec(header) ?? [];
    if (word === 'file' || word === 'closed') {
      if (word === 'closed') closed.add(rest);
      const pieces = body.split(cursorMark);
      let offset = 0;
      for (const piece of pieces.slice(0, -1)) {
        offset += piece.length;
        cursors.push({ file: rest, offset });
      }
      files.set(rest, pieces.join(''));
    } else if (word === 'choose') chosen = rest;
    else if (word === 'settings') settings = JSON.parse(rest);
    else if (word === 'ask') asked = rest;
    else if (word === 'expect') expected = body;
    else throw new Error(`a fixture has no section ${JSON.stringify(header)}`);
  }
  if (expected === undefined) throw new Error('a fixture needs a section "expect"');
  return { files, closed, cursors, chosen, settings, asked, expected };
};

const folder = join(import.meta.dirname, '../language-server');

/** Replaces each `=== samples NAME` and `=== configuration NAME` by the text of that file. */
const expandIncludes = (text: string): string =>
  text.replace(/^=== (samples|configuration) ([\w-]+)\n/gm, (_, word, name) =>
    readFileSync(join(folder, word, `${name}.txt`), 'utf8'),
  );

const sectionsOf = (
  text: string,
): readonly { readonly header: string; readonly body: string }[] => {
  const [before = '', ...parts] = text.split(/^=== /m);
  const sections = parts.map((part) => {
    const end = part.indexOf('\n');
    return { header: part.slice(0, end).trim(), body: part.slice(end + 1) };
  });
  return before === '' ? sections : [{ header: 'file auth.yaml', body: before }, ...sections];
};
