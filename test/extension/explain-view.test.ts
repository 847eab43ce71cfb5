/** The panel that explains a token: what is sent to the language server, and what the page shows. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSigningKey, mintToken } from '../../engine/src/node/mint.ts';
import { createExplainView } from '../../extension/src/explain/explain-view.ts';
import { isExplainState, readExplainAction } from '../../extension/src/messages/explain.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { EventEmitter, editor, env, Uri } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const key = await createSigningKey('ES256', 'ours');
const token = await mintToken({ iss: 'https://a.example', sub: 'jane', exp: 4_102_444_800 }, key);
const range = { start: { line: 4, character: 0 }, end: { line: 4, character: 9 } };
const report = {
  summary: 'The configuration of the workspace does not accept this token.',
  rows: [
    {
      uri: 'file:///w/auth.yaml',
      configuration: { index: 0 },
      verdict: 'rejected',
      check: 'audience',
      reason: 'audience is "b", not "a"',
      place: { uri: 'file:///w/auth.yaml', range },
      logLine: '"Unable to authenticate the request" err="…"',
    },
  ],
};

const begin = () => {
  const sent: unknown[] = [];
  const changed = new EventEmitter<void>();
  const view = createExplainView({
    requests: createServerRequests({
      sendRequest: async <Answer>(_: unknown, params?: unknown) => {
        sent.push(params);
        return report as Answer;
      },
    }),
    model: { onDidChange: changed.event as never },
    extension: Uri.file('/extension') as Parameters<typeof createExplainView>[0]['extension'],
  });
  onTestFinished(view.dispose);
  return { view, sent, changed };
};
const shown = () => editor.panels[0]?.posted.filter(isExplainState) ?? [];

beforeEach(() => editor.reset());

test('sends the claims of a token and never the token', async () => {
  const { view, sent } = begin();
  editor.types(`Authorization: Bearer ${token}`);
  await view.explain();
  editor.panels[0]?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(shown()).toHaveLength(1));
  expect(sent).toEqual([
    { claims: expect.stringContaining('"sub": "jane"'), signature: 'signature not checked' },
  ]);
  const seen = JSON.stringify([sent, shown(), editor.messages]);
  for (const part of token.split('.')) expect(seen).not.toContain(part);
  expect(shown()[0]).toMatchObject({
    token: expect.stringMatching(/^jane: expires in \d+ years, signature not checked$/),
    rows: [{ name: 'auth.yaml', reason: { text: 'audience is "b", not "a"', link: { line: 5 } } }],
  });
});

test('reads the clipboard if nothing is typed, and explains the same claims again', async () => {
  const { view, sent } = begin();
  editor.copies(token);
  editor.types(' ');
  await view.explain();
  const [page] = editor.panels;
  page?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(shown()).toHaveLength(1));
  page?.sends({ kind: 'again' });
  await vi.waitFor(() => expect(shown()).toHaveLength(2));
  expect(sent[1]).toEqual(sent[0]);
});

test('copies the log line of the answer that the page shows', async () => {
  const { view } = begin();
  editor.types(token);
  await view.explain();
  const [page] = editor.panels;
  page?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(shown()).toHaveLength(1));
  page?.sends({ kind: 'copy', number: 99, index: 0 });
  page?.sends({ kind: 'copy', number: shown()[0]?.number, index: 0 });
  await vi.waitFor(async () =>
    expect(await env.clipboard.readText()).toBe(report.rows[0]?.logLine),
  );
});

test('explains the claims again after a change, as they expire, and while the page is open', async () => {
  const { view, sent, changed } = begin();
  editor.types(token);
  await view.explain();
  const [page] = editor.panels;
  changed.fire();
  expect(sent).toEqual([]);
  page?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(shown()).toHaveLength(1));
  vi.setSystemTime(4_102_444_860_000);
  changed.fire();
  await vi.waitFor(() => expect(shown()).toHaveLength(2));
  vi.useRealTimers();
  expect(shown()[1]?.token).toMatch(/^jane: expired /);
  changed.fire();
  page?.dispose();
  await new Promise(setImmediate);
  expect([sent.length, shown().length]).toEqual([3, 2]);
});

test('forgets the claims when the panel is closed', async () => {
  const { view, sent } = begin();
  editor.types(token);
  await view.explain();
  const [page] = editor.panels;
  page?.dispose();
  page?.sends({ kind: 'again' });
  await Promise.resolve();
  expect(sent).toEqual([]);
});

test.each([
  ['not a token', 'AuthGraph: not a JWT: it needs three parts separated by dots.'],
  [`${'x'.repeat(100_001)}`, 'AuthGraph: the text is too long for a token.'],
])('opens nothing for %.20s', async (typed, message) => {
  const { view, sent } = begin();
  editor.types(typed);
  await view.explain();
  expect(editor.messages.map(({ text }) => text)).toEqual([message]);
  expect([sent, editor.panels]).toEqual([[], []]);
});

test('opens nothing if the prompt is dismissed', async () => {
  const { view } = begin();
  await view.explain();
  expect([editor.messages, editor.panels]).toEqual([[], []]);
});

test.each([
  undefined,
  {},
  { kind: 'goTo' },
  { kind: 'goTo', number: 1, index: -1 },
  { kind: 'copy', number: '1', index: 0 },
])('ignores the malformed action %j', (message) => {
  expect(readExplainAction(message)).toBeUndefined();
});
