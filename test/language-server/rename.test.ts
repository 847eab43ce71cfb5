/** What may be renamed, and what every file says afterwards; or the words of the refusal. */
import type { Range, WorkspaceEdit } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownWorkspaceEdit } from '../support/shown-edits.ts';
import { shownRange } from '../support/shown-places.ts';

const orRefusal = async (answer: () => Promise<string>): Promise<string> => {
  try {
    return await answer();
  } catch (cause) {
    return `refused: ${cause instanceof Error ? cause.message : cause}`;
  }
};

runFixtures('rename', async ({ client, fixture, places }) => {
  const answers: string[] = [];
  for (const place of places) {
    const name = place.textDocument.uri.split('/').at(-1) ?? '';
    const prepared = await orRefusal(async () => {
      const found = await client.connection.sendRequest<{ readonly range: Range } | null>(
        'textDocument/prepareRename',
        place,
      );
      return found === null ? 'nothing' : shownRange(fixture.files.get(name) ?? '', found.range);
    });
    if (prepared.startsWith('refused') || prepared === 'nothing') {
      answers.push(prepared);
      continue;
    }
    const renamed = await orRefusal(async () => {
      const edit = await client.connection.sendRequest<WorkspaceEdit | null>(
        'textDocument/rename',
        { ...place, newName: fixture.asked },
      );
      return edit === null ? 'nothing' : shownWorkspaceEdit(fixture, edit);
    });
    answers.push(`${prepared}\n${renamed}`);
  }
  return answers.join('\n--\n');
});
