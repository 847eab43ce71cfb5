/** What activation loads, and when it tries again. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { activateOn } from '../../extension/src/activate.ts';
import { editor } from './fake-vscode.ts';

vi.mock('vscode', async () => {
  const fake = await import('./fake-vscode.ts');
  const nothing = () => ({ dispose: () => undefined });
  return {
    ...fake,
    commands: { ...fake.commands, registerCommand: nothing },
    window: {
      ...fake.window,
      createTreeView: nothing,
      registerTreeDataProvider: nothing,
      registerWebviewViewProvider: nothing,
    },
    workspace: { ...fake.workspace, registerTextDocumentContentProvider: nothing },
  };
});

beforeEach(() => editor.reset());

test('shows the tests at the next test file if they could not be shown', async () => {
  const createTests = vi.fn(() => Promise.reject(new Error('not loaded')));
  const subscriptions: { dispose(): void }[] = [];
  onTestFinished(() => {
    for (const each of subscriptions) each.dispose();
  });
  const startSession = () => new Promise(() => undefined);
  Reflect.apply(activateOn, undefined, [{ subscriptions }, { startSession, createTests }]);
  await new Promise((resolve) => setTimeout(resolve, 1));
  for (const count of [1, 2]) {
    editor.open(`/w/${count}.authtest.yaml`, '');
    await vi.waitFor(() => expect(editor.messages).toHaveLength(count));
    expect(createTests).toHaveBeenCalledTimes(count);
  }
  expect(editor.messages[0]?.text).toContain('not loaded');
});

test('starts without an open configuration if closed ones have diagnostics', async () => {
  const startSession = vi.fn(() => new Promise(() => undefined));
  Reflect.apply(activateOn, undefined, [
    { subscriptions: [] },
    { startSession, createTests: vi.fn() },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(startSession).not.toHaveBeenCalled();
  editor.changeSetting('diagnostics.scope', 'workspace');
  editor.changeSetting('diagnostics.scope', 'workspace');
  expect(startSession).toHaveBeenCalledTimes(1);
});
