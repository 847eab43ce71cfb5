/** Changes since the last commit, which may be replaced by a new one. */
import type { ChangeParams } from '@authgraph/language-server/protocol';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createChangeView } from '../../extension/src/change/change-view.ts';
import { createModel } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { editor } from './fake-vscode.ts';

/** A repository with one file, and VS Code's Git extension for it. */
const repository = vi.hoisted(() => ({
  texts: new Map<string, string>(),
  commit: '',
  changed: { fire: (): void => undefined },
}));

vi.mock('vscode', async () => {
  const fake = await import('./fake-vscode.ts');
  const changed = new fake.EventEmitter<void>();
  repository.changed = { fire: () => changed.fire() };
  const opened = {
    state: {
      get HEAD() {
        return { commit: repository.commit };
      },
      onDidChange: changed.event,
    },
    show: async () => {
      const text = repository.texts.get(repository.commit);
      if (text === undefined) throw new Error('not in that commit');
      return text;
    },
  };
  const git = { enabled: true, getAPI: () => ({ getRepository: () => opened }) };
  return { ...fake, extensions: { getExtension: () => ({ activate: async () => git }) } };
});

const begin = async () => {
  const requested: ChangeParams[] = [];
  const requests = createServerRequests({
    sendRequest: async (_: unknown, params: unknown) => {
      requested.push(Object(params));
      return { rows: [], summary: '' } as never;
    },
  });
  editor.open('/w/auth.yaml', 'kind: AuthenticationConfiguration\n');
  const model = createModel(requests);
  let drawn = 0;
  const changed = {
    fire: () => {
      drawn += 1;
    },
  };
  const results = createResults({ fire: () => undefined });
  const view = createChangeView({ model, requests, results, isBrowser: false, changed });
  onTestFinished(() => {
    view.dispose();
    model.dispose();
  });
  await view.compareWithHead();
  /** Returns the request that the view sends when it is drawn. */
  const compared = async () => {
    await view.getChildren();
    return requested.at(-1);
  };
  return { view, compared, drawn: () => drawn };
};

const commit = (name: string, text?: string): void => {
  repository.commit = name;
  if (text !== undefined) repository.texts.set(name, text);
  repository.changed.fire();
};

beforeEach(() => {
  editor.reset();
  repository.texts.clear();
  commit('first', 'one');
});

test('compares with a new commit', async () => {
  const { compared, drawn } = await begin();
  expect(await compared()).toMatchObject({ against: 'one', revision: 'HEAD' });
  const before = drawn();
  commit('second', 'two');
  await vi.waitFor(() => expect(drawn()).toBe(before + 1));
  expect(await compared()).toMatchObject({ against: 'two', revision: 'HEAD' });
});

test('ignores changes of the repository without a commit', async () => {
  const { drawn } = await begin();
  const before = drawn();
  repository.texts.set('first', 'never read again');
  repository.changed.fire();
  await new Promise((resolve) => setImmediate(resolve));
  expect(drawn()).toBe(before);
});

test('ends the comparison if a commit lacks the file', async () => {
  const { view, drawn } = await begin();
  const before = drawn();
  commit('second');
  await vi.waitFor(() => expect(drawn()).toBe(before + 1));
  expect(await view.getChildren()).toEqual([{ kind: 'message', text: 'No unsaved changes.' }]);
});

test('ignores commits while another comparison is shown', async () => {
  const { view } = await begin();
  await view.preview();
  commit('second', 'two');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await view.getChildren()).toEqual([{ kind: 'message', text: 'No unsaved changes.' }]);
});
