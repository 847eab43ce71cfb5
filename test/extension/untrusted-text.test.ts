/** Names that would become links or icons in what VS Code shows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { clientOptions } from '../../extension/src/client-options.ts';
import { createLensRefresh } from '../../extension/src/lens-refresh.ts';
import { confirm, offer, showError, showInfo } from '../../extension/src/messages.ts';
import { pick, pickMany } from '../../extension/src/quick-pick.ts';
import { showStatus } from '../../extension/src/status-bar.ts';
import { editor } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

/** VS Code's pattern for links in messages (`linkedText.ts`). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** VS Code's pattern for icons in labels (`iconLabels.ts`). */
const icon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

const names = [
  '[jane](command:workbench.action.quit)',
  '[jane](https://canary.example "x")',
  '[[jane](command:a)](command:b)',
  '[jane]\u200b(command:a)',
];

beforeEach(() => editor.reset());

describe('INV-E2 messages contain no links', () => {
  test.each(names)('%s', async (name) => {
    expect(names.slice(0, 3).every((each) => link.test(each))).toBe(true);
    showInfo(`${name} can no longer log in`);
    showError(name);
    await offer({ text: name, isWarning: true, actions: ['Undo'] });
    await confirm({ question: name, detail: `${name}\n\nIs asked.`, yes: 'Ask' });
    expect(editor.messages).toHaveLength(4);
    for (const { text, detail = '' } of editor.messages)
      expect(`${text}\n${detail}`).not.toMatch(link);
  });
  test('leave other text unchanged', () => {
    showInfo('jane [admin] (ops) can no longer log in');
    showInfo('ask the issuer first.');
    showError('[a](b\u202e\nc');
    expect(editor.messages.map(({ text }) => text)).toEqual([
      'AuthGraph: jane [admin] (ops) can no longer log in.',
      'AuthGraph: ask the issuer first.',
      'AuthGraph: [a] (b\ufffd\nc.',
    ]);
  });
});

test('picker rows contain no icons, and the original row is returned', async () => {
  const row = { label: '$(bug) jane', description: '$(bug)/x', detail: 'a$(bug~spin)', id: 7 };
  expect(row.label).toMatch(icon);
  editor.picks(0);
  const picked = await pick([row], {});
  editor.picks(0);
  const several = await pickMany([row], {});
  expect([picked?.id, several?.map(({ id }) => id)]).toEqual([7, [7]]);
  expect(editor.rows.flatMap(Object.values).join(' ')).not.toMatch(icon);
  expect(editor.rows[0]).toMatchObject({ label: '$ (bug) jane', detail: 'a$ (bug~spin)' });
});

test('rename errors, which VS Code shows itself, contain no links', async () => {
  const { middleware } = clientOptions({ files: () => 'server' }, createLensRefresh());
  const refuse = () => Promise.reject(new Error(`${names[0]} cannot be read`));
  const rename = middleware?.provideRenameEdits ?? vi.fn();
  await expect(Reflect.apply(rename, undefined, [{}, {}, 'x', {}, refuse])).rejects.toThrow(
    '[jane] (command:workbench.action.quit) cannot be read',
  );
});

test('the status bar renders no icon from a name', () => {
  const current = { id: 'a', name: '$(bug) jane' };
  const never = { dispose: () => undefined };
  const model = {
    configuration: undefined,
    samples: [current],
    current,
    problem: undefined,
    onDidChange: () => never,
    switchTo: async () => undefined,
    readSamples: async () => undefined,
    notifyChanged: () => undefined,
    dispose: () => undefined,
  };
  editor.set('targetVersion', '$(flame)');
  const requests = { verdicts: async () => ({ rows: [] }) };
  showStatus({ model, requests, newest: '1.36' }).dispose();
  expect(editor.items.map(({ text }) => text)).toEqual([
    '◉ $ (bug) jane',
    '$(versions) API server $ (flame)',
  ]);
});

test('only the guarded functions show messages', () => {
  const root = join(import.meta.dirname, '../../extension/src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'));
  const sourcesWithMessages = sources.filter((path) =>
    /\.(?:show\w*Message|setStatusBarMessage|\w+QuickPick)\b/.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  );
  expect(sourcesWithMessages.sort()).toEqual(['messages.ts', 'quick-pick.ts']);
});
