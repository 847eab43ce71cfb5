/** *Evaluate Selection*: what is sent to the language server, and how its answer is shown. */
import { beforeEach, expect, test, vi } from 'vitest';
import { evaluateSelection } from '../../extension/src/evaluate-selection.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { EventEmitter, editor, window } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

beforeEach(() => {
  editor.reset();
  vi.restoreAllMocks();
});

const range = { start: { line: 4, character: 8 }, end: { line: 4, character: 18 } };

/** Returns a position with accessors only, like those of VS Code. */
const positionAt = ({ line, character }: { readonly line: number; readonly character: number }) =>
  Object.create({}, { line: { get: () => line }, character: { get: () => character } });

const selection = { start: positionAt(range.start), end: positionAt(range.end) };

const run = async (answer: object | null): Promise<readonly unknown[]> => {
  const sent: unknown[] = [];
  const shows = vi.spyOn(window, 'showTextDocument').mockResolvedValue(undefined as never);
  const document = editor.open('/w/auth.yaml', '');
  Object.assign(window, { activeTextEditor: { document, selection } });
  const results = createResults(new EventEmitter() as never);
  await evaluateSelection({
    requests: createServerRequests({
      sendRequest: async <Answer>(...params: readonly unknown[]) => {
        // This is how a web worker receives them.
        sent.push(...structuredClone(params));
        return answer as Answer;
      },
    }),
    results,
  });
  Object.assign(window, { activeTextEditor: undefined });
  const [shown] = shows.mock.calls.map(([uri, options]: readonly unknown[]) => [
    results.text(uri as never),
    options,
  ]);
  return [sent, shown];
};

test('shows the table of the server next to the configuration', async () => {
  const [sent, shown] = await run({ markdown: '| sample |' });
  expect(sent).toEqual(['authgraph/evaluate', { uri: 'file:///w/auth.yaml', range }]);
  expect(shown).toEqual(['| sample |\n', { preview: true, viewColumn: -2, preserveFocus: true }]);
  expect(editor.messages).toEqual([]);
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
