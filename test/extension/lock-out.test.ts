/** The warning after a save that locks a sample out, and its undo. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { warnOfLockOut } from '../../extension/src/change/lock-out.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { editor, type FakeDocument } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const before = 'kind: AuthenticationConfiguration\njwt: []\n';
const after = 'kind: AuthenticationConfiguration\njwt: [{}]\n';

/** The server reports this loss for each change. */
const loss = 'jane can no longer log in';
const requests = createServerRequests({
  sendRequest: async <Answer>() => ({ rows: [], summary: '', loss }) as Answer,
});

/** Opens a file whose saves are checked. */
const watched = (path: string): FakeDocument => {
  const document = editor.open(path, before);
  const warning = warnOfLockOut({
    requests,
    view: { followSave: () => undefined, showSave: async () => undefined },
    results: createResults({ fire: () => undefined }),
  });
  onTestFinished(() => void warning.dispose());
  return document;
};

/** Saves a change that locks out; the warning is shown and answered later. */
const saveThatLocksOut = async (path: string): Promise<FakeDocument> => {
  const document = watched(path);
  editor.type(document, after);
  await document.save();
  return document;
};

beforeEach(() => editor.reset());

describe('undo', () => {
  test('restores the text before the save, and saves it', async () => {
    editor.answers('Undo');
    const document = await saveThatLocksOut('/w/a.yaml');
    await vi.waitFor(() => expect(document).toMatchObject({ text: before, isDirty: false }));
    expect(editor.messages[0]).toMatchObject({ kind: 'warning', text: `AuthGraph: ${loss}.` });
  });
  test('keeps later edits, and shows the change on request', async () => {
    const answer = Promise.withResolvers<string>();
    editor.answers(answer.promise, 'Show Change');
    const document = await saveThatLocksOut('/w/b.yaml');
    await vi.waitFor(() => expect(editor.messages).toHaveLength(1));
    editor.type(document, `${after}# an hour of work\n`);
    answer.resolve('Undo');
    await vi.waitFor(() => expect(editor.ran).toHaveLength(1));
    expect(document).toMatchObject({ text: `${after}# an hour of work\n`, isDirty: true });
    expect(editor.messages[1]?.text).toBe(
      'AuthGraph: b.yaml was edited after the save, so nothing was undone.',
    );
    const [command, shown, now] = editor.ran[0] ?? [];
    expect([command, String(shown), String(now)]).toEqual([
      'vscode.diff',
      'authgraph-result:/before%20the%20save/b.yaml',
      'file:///w/b.yaml',
    ]);
  });
});

describe('the text before a save', () => {
  test('is not replaced if the save event is late', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const document = watched('/w/c.yaml');
    editor.type(document, after);
    const late = Promise.withResolvers<void>();
    editor.delaysSaveEvent(late.promise);
    const save = document.save();
    // The document counts as saved, and the last edit is half a second old.
    await vi.advanceTimersByTimeAsync(700);
    late.resolve();
    await save;
    await vi.waitFor(() => expect(editor.messages).toHaveLength(1));
  });
  test('is the text that another program wrote', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    editor.answers('Undo');
    const document = watched('/w/d.yaml');
    const written = `${before}# by another program\n`;
    editor.reload(document, written);
    await vi.advanceTimersByTimeAsync(1500);
    editor.type(document, after);
    await document.save();
    await vi.waitFor(() => expect(document).toMatchObject({ text: written, isDirty: false }));
  });
});
