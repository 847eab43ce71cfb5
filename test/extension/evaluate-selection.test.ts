/** *Evaluate Selection*: what is sent to the language server, and how its answer is shown. */
import { beforeEach, expect, test, vi } from 'vitest';
import { evaluateSelection } from '../../extension/src/evaluate-selection.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { commands, EventEmitter, editor, window } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

beforeEach(() => {
  editor.reset();
  window.tabGroups.all.length = 0;
  vi.restoreAllMocks();
});

const range = { start: { line: 4, character: 8 }, end: { line: 4, character: 18 } };

const run = async (answer: object | null): Promise<readonly unknown[]> => {
  const sent: unknown[] = [];
  const document = editor.open('/w/auth.yaml', '');
  Object.assign(window, { activeTextEditor: { document, selection: range } });
  const results = createResults(new EventEmitter() as never);
  await evaluateSelection({
    requests: createServerRequests({
      sendRequest: async <Answer>(...params: readonly unknown[]) => {
        sent.push(...params);
        return answer as Answer;
      },
    }),
    results,
  });
  Object.assign(window, { activeTextEditor: undefined });
  const [shown] = editor.ran.map(([command, uri]) => [command, results.text(uri as never)]);
  return [sent, shown];
};

test('shows the table of the server in a preview', async () => {
  window.tabGroups.all.push({ activeTab: { label: 'Preview Evaluation.md' } });
  const shows = vi.spyOn(window, 'showTextDocument');
  const [sent, shown] = await run({ markdown: '| sample |' });
  expect(sent).toEqual(['authgraph/evaluate', { uri: 'file:///w/auth.yaml', range }]);
  expect(shown).toEqual(['markdown.showPreviewToSide', '| sample |\n']);
  expect(editor.messages).toEqual([]);
  expect(shows).not.toHaveBeenCalled();
});

test.each([
  ['is disabled', () => Promise.reject(new Error('no such command'))],
  ['shows nothing', () => Promise.resolve(undefined)],
  ['does not answer', () => new Promise(() => undefined)],
])('shows the table as text if the Markdown extension %s', async (_, answer) => {
  vi.spyOn(commands, 'executeCommand').mockImplementation(answer as never);
  const shows = vi.spyOn(window, 'showTextDocument').mockResolvedValue(undefined as never);
  await run({ markdown: '| sample |' });
  expect(shows).toHaveBeenCalledWith(
    expect.objectContaining({ scheme: 'authgraph-result', path: '/Evaluation.md' }),
    { viewColumn: -2 },
  );
});

test.each([
  [{ problem: 'there is no expression' }, 'AuthGraph: there is no expression.'],
  [null, 'AuthGraph: the language server did not answer.'],
])('reports why there is no table: %j', async (answer, message) => {
  const [, shown] = await run(answer);
  expect(editor.messages.map(({ text }) => text)).toEqual([message]);
  expect(shown).toBeUndefined();
});

test('does nothing without an editor', async () => {
  const requests = { evaluate: vi.fn() };
  await evaluateSelection({ requests, results: { put: vi.fn() } });
  expect(requests.evaluate).not.toHaveBeenCalled();
});
