/**
 * Actions at the cursor, or between two: kind, `*` for the preferred one, title, the codes it mends, and
 * what it changes. The setting `only` is the kinds that the client asks for.
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
  // As a client does: it gives back what it was told.
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

/** A new file, and what stands in it. */
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

/** Lines that are others than before; a carriage return is shown. */
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
