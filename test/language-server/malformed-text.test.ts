/** Arbitrary text: no request fails, and results are consistent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  DocumentSymbol,
  FoldingRange,
  Location,
  Position,
  Range,
  SelectionRange,
  SemanticTokens,
  TextEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const folder = join(import.meta.dirname, '../../samples');
const samples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .filter((text) => text.includes('AuthenticationConfiguration') && text.length < 6_000);

/** Fragments that break the text in different ways. */
const pieces = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ':',
  '- ',
  '|',
  '>',
  '#',
  '&a ',
  '*a',
  '---\n',
  'claims.',
  'claims.a.filter(x, x.',
  '😀',
  '\u0000',
  '<<: ',
  '!!str ',
  '? ',
  '%',
  '`',
  'expression: |\n',
];

const texts = fc
  .record({
    base: fc.constantFrom(...samples),
    edits: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.nat(40),
        put: fc.constantFrom(...pieces),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ base, edits }) =>
    edits.reduce((text, { at, cut, put }) => {
      const from = Math.floor(at * text.length);
      return text.slice(0, from) + put + text.slice(from + cut);
    }, base),
  );

const uri = `${workspaceUri}/auth.yaml`;
const options = { tabSize: 2, insertSpaces: true };

test('answers consistently for malformed text', async () => {
  expect(samples.length).toBeGreaterThan(3);
  const client = await languageClient({ settings: { format: { enabled: true } } });
  const { connection } = client;
  let version = 1;
  await client.open(uri, '');
  const ask = <Answer>(method: string, more: object = {}): Promise<Answer> =>
    connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...more });
  await fc.assert(
    fc.asyncProperty(texts, fc.double({ min: 0, max: 1, noNaN: true }), async (text, where) => {
      version += 1;
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
      const document = TextDocument.create(uri, 'yaml', version, text);
      const position = document.positionAt(Math.floor(where * text.length));
      expectSymbols(await ask('documentSymbol'));
      expectFoldings(await ask('foldingRange'), document);
      expectTokens(await ask('semanticTokens/full'), document);
      expectSelections(await ask('selectionRange', { positions: [position] }), position);
      for (const { range } of await ask<readonly Location[]>('definition', { position })) {
        expectOrder(range);
      }
      await ask('references', { position, context: { includeDeclaration: true } });
      await ask('documentHighlight', { position });
      TextDocument.applyEdits(document, [
        ...((await ask<readonly TextEdit[] | null>('formatting', { options })) ?? []),
      ]);
      await requestRename(client, position);
      expect(client.log).toEqual([]);
    }),
    { numRuns: 100, seed: 31 },
  );
  await client.close();
});

const requestRename = async ({ connection }: LanguageClient, position: Position): Promise<void> => {
  const params = { textDocument: { uri }, position, newName: 'other' };
  // An error response is acceptable.
  await connection.sendRequest('textDocument/prepareRename', params).catch(() => undefined);
  await connection.sendRequest('textDocument/rename', params).catch(() => undefined);
};

const compare = (a: Position, b: Position): number => a.line - b.line || a.character - b.character;

const expectOrder = ({ start, end }: Range): void => {
  expect(compare(start, end)).toBeLessThanOrEqual(0);
};

const expectInside = (inner: Range, outer: Range): void => {
  expect(compare(outer.start, inner.start)).toBeLessThanOrEqual(0);
  expect(compare(inner.end, outer.end)).toBeLessThanOrEqual(0);
};

const expectSymbols = (symbols: readonly DocumentSymbol[]): void => {
  for (const { name, range, selectionRange, children = [] } of symbols) {
    expect(name).not.toBe('');
    expectOrder(range);
    expectInside(selectionRange, range);
    for (const child of children) expectInside(child.range, range);
    expectSymbols(children);
  }
};

const expectFoldings = (ranges: readonly FoldingRange[] | null, document: TextDocument): void => {
  let before = -1;
  for (const { startLine, endLine } of ranges ?? []) {
    expect(startLine).toBeGreaterThanOrEqual(before);
    expect(endLine).toBeGreaterThan(startLine);
    expect(endLine).toBeLessThan(document.lineCount);
    before = startLine;
  }
};

/** Tokens are on one line each and do not overlap. */
const expectTokens = ({ data }: SemanticTokens, document: TextDocument): void => {
  let line = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0] = data.slice(at, at + 3);
    line += down;
    start = down === 0 ? start + right : right;
    expect(start).toBeGreaterThanOrEqual(down === 0 ? end : 0);
    expect(length).toBeGreaterThan(0);
    end = start + length;
    const text = document.getText({
      start: { line, character: 0 },
      end: { line: line + 1, character: 0 },
    });
    expect(end).toBeLessThanOrEqual(text.replace(/\r?\n$/, '').length);
  }
};

const expectSelections = (found: readonly SelectionRange[] | null, position: Position): void => {
  for (const selection of found ?? []) {
    expectInside({ start: position, end: position }, selection.range);
    for (let each = selection; each.parent !== undefined; each = each.parent) {
      expectInside(each.range, each.parent.range);
    }
  }
};
