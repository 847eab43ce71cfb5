/** Changes since the last commit, which may be replaced by a new one, and since a branch. */
import type { ChangeParams } from '@authgraph/language-server/protocol';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ChangeView, createChangeView } from '../../extension/src/change/change-view.ts';
import { createModel } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { editor, Uri, workspace } from './fake-vscode.ts';

/** A repository with one file, and VS Code's Git extension for it. */
const repository = vi.hoisted(() => ({
  texts: new Map<string, string>(),
  commit: '',
  /** Git's message if it can't read the file. */
  problem: '',
  changed: { fire: (): void => undefined },
}));

vi.mock('vscode', async () => {
  const fake = await import('./fake-vscode.ts');
  const changed = new fake.EventEmitter<void>();
  repository.changed = { fire: () => changed.fire() };
  const opened = {
    rootUri: fake.Uri.file('/w'),
    state: {
      get HEAD() {
        return { commit: repository.commit };
      },
      onDidChange: changed.event,
    },
    getRefs: async () => [
      { type: 0, name: 'main', commit: 'first' },
      { type: 1, name: 'origin/$(x)', commit: '0123456789' },
      { type: 2, name: 'v1', commit: 'without' },
      { type: 2, name: 'unborn' },
    ],
    show: async (ref: string) => {
      const text = repository.texts.get(ref === 'HEAD' ? repository.commit : ref);
      if (text === undefined || repository.problem !== '') {
        throw new Error('Could not show object.');
      }
      return text;
    },
    getObjectDetails: async () => {
      if (repository.problem !== '') throw new Error(repository.problem);
      throw Object.assign(new Error('Path not known by git'), { gitErrorCode: 'UnknownPath' });
    },
  };
  const git = { enabled: true, getAPI: () => ({ getRepository: () => opened }) };
  const withProgress = (_: object, run: (progress: object, token: object) => unknown) =>
    run({}, { isCancellationRequested: false });
  return {
    ...fake,
    extensions: { getExtension: () => ({ activate: async () => git }) },
    ProgressLocation: { Notification: 15 },
    window: { ...fake.window, withProgress },
  };
});

const begin = (path = '/w/auth.yaml') => {
  const requested: ChangeParams[] = [];
  const requests = createServerRequests({
    sendRequest: async (_: unknown, params: unknown) => {
      requested.push(Object(params));
      return { rows: [], summary: '', text: '### Access difference\n' } as never;
    },
  });
  editor.open(path, 'kind: AuthenticationConfiguration\n');
  const model = createModel(requests);
  const document = model.configuration;
  if (document === undefined) throw new Error('the configuration is open');
  let drawn = 0;
  const changed = {
    fire: () => {
      drawn += 1;
    },
  };
  const results = createResults({ fire: () => undefined });
  const view = createChangeView({
    ...{ model, requests, results, changed },
    isBrowser: false,
    tree: {},
    marks: { show: () => undefined },
  });
  onTestFinished(() => {
    view.dispose();
    model.dispose();
  });
  /** Returns the request that the view sends when it is drawn. */
  const compared = async () => {
    await view.getChildren();
    return requested.at(-1);
  };
  return { view, compared, drawn: () => drawn, requested, document };
};

const beginWithHead = async () => {
  const begun = begin();
  await begun.view.compareWithHead();
  return begun;
};

const commit = (name: string, text?: string): void => {
  repository.commit = name;
  if (text !== undefined) repository.texts.set(name, text);
  repository.changed.fire();
};

beforeEach(() => {
  editor.reset();
  repository.texts.clear();
  repository.problem = '';
  commit('first', 'one');
});

test('compares with a new commit', async () => {
  const { compared, drawn } = await beginWithHead();
  expect(await compared()).toMatchObject({ against: 'one', revision: 'HEAD' });
  const before = drawn();
  commit('second', 'two');
  await vi.waitFor(() => expect(drawn()).toBe(before + 1));
  expect(await compared()).toMatchObject({ against: 'two', revision: 'HEAD' });
});

test('ignores changes of the repository without a commit', async () => {
  const { drawn } = await beginWithHead();
  const before = drawn();
  repository.texts.set('first', 'never read again');
  repository.changed.fire();
  await new Promise((resolve) => setImmediate(resolve));
  expect(drawn()).toBe(before);
});

test('ends the comparison if a commit lacks the file', async () => {
  const { view, drawn } = await beginWithHead();
  const before = drawn();
  commit('second');
  await vi.waitFor(() => expect(drawn()).toBe(before + 1));
  expect(await view.getChildren()).toEqual([{ kind: 'message', text: 'No unsaved changes.' }]);
});

test('ignores commits while another comparison is shown', async () => {
  const { view } = await beginWithHead();
  await view.preview();
  commit('second', 'two');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await view.getChildren()).toEqual([{ kind: 'message', text: 'No unsaved changes.' }]);
});

describe('a branch', () => {
  beforeEach(() => repository.texts.set('0123456789', 'remote'));

  test('is picked and compared with, and stays when commits are made', async () => {
    const { view, compared } = begin();
    editor.picks(1);
    await view.compareWithBranch();
    expect(editor.rows).toMatchObject([
      { label: 'main', description: 'branch · first' },
      { description: 'remote branch · 0123456' },
      { label: 'v1', description: 'tag · without' },
    ]);
    // VS Code would render an icon.
    expect(JSON.stringify(editor.rows[1])).not.toContain('"label":"origin/$(x)"');
    expect(await compared()).toMatchObject({ against: 'remote', revision: '0123456789' });
    const [first] = await view.getChildren();
    expect(first).toMatchObject({ text: expect.stringContaining('Since origin/$(x) (0123456)') });
    commit('second', 'two');
    expect(await compared()).toMatchObject({ against: 'remote' });
  });

  test('without the file is reported, and the comparison stays', async () => {
    const { view } = begin();
    editor.picks(2);
    await view.compareWithBranch();
    expect(editor.messages).toMatchObject([{ text: 'AuthGraph: v1 does not have this file.' }]);
    expect(await view.getChildren()).toEqual([{ kind: 'message', text: 'No unsaved changes.' }]);
  });

  test('that Git cannot read is reported with the message of Git', async () => {
    const { view } = begin();
    repository.problem = 'fatal: bad object';
    editor.picks(1);
    await view.compareWithBranch();
    expect(editor.messages).toMatchObject([
      { text: "AuthGraph: Git can't read the file: Could not show object." },
    ]);
  });

  test('that is not picked changes nothing', async () => {
    const { view } = begin();
    await view.compareWithBranch();
    expect(editor.messages).toEqual([]);
    expect(await view.getChildren()).toEqual([{ kind: 'message', text: 'No unsaved changes.' }]);
  });
});

test('a repository without commits does not have the file', async () => {
  repository.commit = '';
  const { view } = await beginWithHead();
  expect(editor.messages).toMatchObject([
    { text: 'AuthGraph: the file is not in the last commit.' },
  ]);
  expect(await view.getChildren()).toEqual([{ kind: 'message', text: 'No unsaved changes.' }]);
});

const samples = [{ uri: 'file:///w/jane.claims.json', text: '{}' }];

test.each([
  ['the saved file', async () => undefined, { before: 'auth.yaml (saved)', after: 'auth.yaml' }],
  [
    'the last commit',
    (view: ChangeView) => view.compareWithHead(),
    { before: 'HEAD:deploy/auth.yaml', after: 'deploy/auth.yaml', against: 'one' },
  ],
  [
    'a branch',
    (view: ChangeView) => {
      editor.picks(0);
      return view.compareWithBranch();
    },
    { before: 'main (first):deploy/auth.yaml', after: 'deploy/auth.yaml', against: 'one' },
  ],
  [
    'the last save',
    async (view: ChangeView, document: Parameters<ChangeView['followSave']>[0]) =>
      view.followSave(document, { text: 'before', samples }),
    { before: 'auth.yaml (before the last save)', after: 'auth.yaml', against: 'before', samples },
  ],
])('the Markdown report compares with %s', async (_, compare, params) => {
  const { view, requested, document } = begin('/w/deploy/auth.yaml');
  await compare(view, document);
  await view.report();
  expect(requested.at(-1)).toEqual({ uri: 'file:///w/deploy/auth.yaml', ...params });
  const opened = await workspace.openTextDocument(Uri.file('/Untitled-1'));
  expect(opened.getText()).toBe('### Access difference\n');
});

test.each([
  ['the saved file', async () => undefined, 'auth.yaml (saved)'],
  ['the last commit', (view: ChangeView) => view.compareWithHead(), 'HEAD:auth.yaml'],
])(
  'the report names a file outside of the workspace without its folder: %s',
  async (_, compare, before) => {
    const relative = vi.spyOn(workspace, 'asRelativePath').mockImplementation(({ path }) => path);
    onTestFinished(() => relative.mockRestore());
    const { view, requested } = begin('/home/jane/auth.yaml');
    await compare(view);
    await view.report();
    expect(requested.at(-1)).toMatchObject({ before, after: 'auth.yaml' });
  },
);
