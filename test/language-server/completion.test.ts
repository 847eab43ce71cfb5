/** Completion: the items in order, and the file after an item was accepted. */
import { expect, test } from 'vitest';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  InsertTextFormat,
} from 'vscode-languageserver';
import { acceptCompletion } from '../support/accept-completion.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

interface Asked {
  /** Label of the item to accept; the first one by default. */
  readonly take?: string;
  /** The trigger character. */
  readonly typed?: string;
  readonly most?: number;
  /** Prints the documentation of the accepted item. */
  readonly document?: boolean;
}

const kindNames = new Map(Object.entries(CompletionItemKind).map(([name, kind]) => [kind, name]));

runFixtures('completion', async ({ client, places, fixture, text }) => {
  const { take, typed, most = 12, document }: Asked = Object(Object(fixture.settings).test);
  const answers: string[] = [];
  for (const place of places) {
    const list = await client.connection.sendRequest<CompletionList | null>(
      'textDocument/completion',
      {
        ...place,
        context:
          typed === undefined ? { triggerKind: 1 } : { triggerKind: 2, triggerCharacter: typed },
      },
    );
    // Editors hide items that do not match the typed text.
    const items = (list?.items ?? [])
      .filter((item) => fits(text, place.position, item))
      .toSorted((a, b) => (sortOf(a) < sortOf(b) ? -1 : 1));
    const chosen = take === undefined ? items[0] : items.find(({ label }) => label === take);
    const rest = items.length > most ? [`… ${items.length - most} more`] : [];
    const lines = [...items.slice(0, most).map(shown), ...rest];
    if (chosen !== undefined) {
      lines.push(`--- ${chosen.label}`, acceptCompletion(text, chosen));
      if (document === true) {
        const resolved = await client.connection.sendRequest<CompletionItem>(
          'completionItem/resolve',
          chosen,
        );
        const { documentation } = resolved;
        lines.push('---', typeof documentation === 'object' ? documentation.value : '');
      }
    }
    answers.push(lines.length === 0 ? 'nothing' : lines.join('\n'));
  }
  return answers.join('\n=====\n');
});

const sortOf = ({ sortText = '', label }: CompletionItem): string => `${sortText} ${label}`;

const shown = ({ label, labelDetails, kind = 1 }: CompletionItem): string =>
  [
    `${label}${labelDetails?.detail ?? ''}`,
    (kindNames.get(kind) ?? '').toLowerCase(),
    labelDetails?.description ?? '',
  ]
    .join(' | ')
    .trimEnd();

/** Returns whether the text between the edit's start and the cursor matches the filter text. */
const fits = (
  text: string,
  { line, character }: { readonly line: number; readonly character: number },
  { textEdit, filterText = '' }: CompletionItem,
): boolean => {
  if (textEdit === undefined || !('range' in textEdit)) return false;
  const { start, end } = textEdit.range;
  if (start.line !== line || start.character > character || end.character < character) return false;
  const typed = (text.split('\n')[line] ?? '').slice(start.character, character);
  let from = 0;
  for (const letter of typed.toLowerCase()) {
    const at = filterText.toLowerCase().indexOf(letter, from);
    if (at === -1) return false;
    from = at + 1;
  }
  return true;
};

test('sends plain text to clients without snippet support', async () => {
  const client = await languageClient({ capabilities: { textDocument: { completion: {} } } });
  const uri = `${workspaceUri}/auth.yaml`;
  const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
  await client.open(uri, `${head}jwt:\n  - \n`);
  const list = await client.connection.sendRequest<CompletionList>('textDocument/completion', {
    textDocument: { uri },
    position: { line: 3, character: 4 },
  });
  const issuer = list.items.find(({ label }) => label === 'issuer');
  expect(issuer?.insertTextFormat).toBe(InsertTextFormat.PlainText);
  expect(issuer?.textEdit?.newText).toBe(
    'issuer:\n    url: https://issuer.example\n    audiences:\n      - my-cluster',
  );
  expect(JSON.stringify(list)).not.toContain('${');
  await client.close();
});
