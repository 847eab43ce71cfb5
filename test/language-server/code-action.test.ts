/**
 * Code actions at the cursor, or between two cursors: kind, `*` for preferred, title, the fixed
 * codes, and the changed lines. The setting `only` lists the requested kinds.
 */
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { applyEdits as apply } from '../../engine/src/source/text-edit.ts';
import { workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('code-action', async ({ client, uri, text, places, fixture }) => {
  const [start = { position: { line: 0, character: 0 }, textDocument: { uri } }, end = start] =
    places;
  const { textDocument } = start;
  const only = Reflect.get(fixture.settings, 'only');
  // Clients send back the diagnostics they received.
  const { items } = await client.connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument },
  );
  const actions = await client.connection.sendRequest<readonly CodeAction[]>(
    'textDocument/codeAction',
    {
      textDocument,
      range: { start: start.position, end: end.position },
      context: { diagnostics: items, ...(only === undefined ? {} : { only }) },
    },
  );
  const name = textDocument.uri.split('/').at(-1) ?? '';
  const whole = fixture.files.get(name) ?? text;
  return actions
    .map(({ kind, title, isPreferred, diagnostics = [], edit }) => {
      const codes = diagnostics.map(({ code, message }) => code ?? message).join(' ');
      const after = edited(whole, edit?.changes?.[textDocument.uri] ?? []);
      const head = `${kind}${isPreferred ? '*' : ''}: ${title}${codes === '' ? '' : ` [${codes}]`}`;
      const files = (edit?.documentChanges ?? []).map(newFile).join('');
      return `${head}\n${changed(whole, after)}${files}`;
    })
    .join('\n');
});

/** Prints a new file with its content. */
const newFile = (
  change: NonNullable<NonNullable<CodeAction['edit']>['documentChanges']>[number],
): string => {
  if ('kind' in change) {
    const uri = 'uri' in change ? change.uri.replace(`${workspaceUri}/`, '') : '';
    return `  ${change.kind} ${uri} ${JSON.stringify(change.options)}\n`;
  }
  return change.edits
    .map((edit) => ('newText' in edit ? edit.newText : ''))
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => `  + ${line}`)
    .join('\n');
};

const edited = (
  text: string,
  edits: NonNullable<NonNullable<CodeAction['edit']>['changes']>[string],
): string => {
  const source = sourceFile('', text);
  const offsetOf = ({ line, character }: { line: number; character: number }): number =>
    source.offsetAt({ line, column: character });
  return apply(
    text,
    edits.map(({ range, newText }) => ({
      span: { start: offsetOf(range.start), end: offsetOf(range.end) },
      newText,
    })),
  );
};

/** Prints the changed lines; carriage returns are visible. */
const changed = (before: string, after: string): string => {
  const [old, young] = [before, after].map((text) =>
    text.split('\n').map((line) => line.replaceAll('\r', '␍').replaceAll('\t', '␉')),
  );
  if (old === undefined || young === undefined) return '';
  let start = 0;
  while (start < old.length && old[start] === young[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, young.length) - start;
  while (end < most && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  return [
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...young.slice(start, young.length - end).map((line) => `  + ${line}`),
  ].join('\n');
};
