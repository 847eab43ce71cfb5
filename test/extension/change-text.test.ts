/** The access changes as text. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { changeText } from '../../extension/src/change/change-tree.ts';
import { createChangeView } from '../../extension/src/change/change-view.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import type { ChangeReport, ChangeRow } from '../../language-server/src/protocol.ts';
import { EventEmitter, Uri } from './fake-vscode.ts';

vi.mock('vscode', async () => {
  const fake = await import('./fake-vscode.ts');
  const window = { ...fake.window, showTextDocument: async () => undefined };
  return { ...fake, window, ViewColumn: { Beside: -2 } };
});

const row = (name: string, overrides: Partial<ChangeRow>): ChangeRow => ({
  sample: { id: name, name },
  configuration: { index: 0 },
  kind: 'same',
  before: `${name} → a:${name} · 1 group`,
  after: `${name} → a:${name} · 1 group`,
  details: [],
  beforeYaml: '',
  afterYaml: '',
  ...overrides,
});

test('expands every row, losses first', () => {
  const report: ChangeReport = {
    summary: '1 sample loses access, 1 changes, 1 stays the same',
    rows: [
      row('bob', {}),
      row('jane', {
        kind: 'lost',
        configuration: { index: 1, title: 'two · auth.yaml' },
        after: 'jane rejected: no tenant',
        details: ['can no longer log in as a:jane'],
      }),
      row('zoe', {
        kind: 'changed',
        after: 'zoe → b:zoe · 2 groups',
        details: ['username a:zoe becomes b:zoe', 'group dev is gained'],
      }),
    ],
  };
  expect(
    changeText(report, 'Unsaved changes'),
  ).toBe(`Unsaved changes: 1 sample loses access, 1 changes, 1 stays the same

Lost (1)
  jane: two · auth.yaml: a:jane · 1 group ⇒ rejected: no tenant
    can no longer log in as a:jane

Changed (1)
  zoe: a:zoe · 1 group ⇒ b:zoe · 2 groups
    username a:zoe becomes b:zoe
    group dev is gained

Unchanged (1)
  bob: a:bob · 1 group
`);
});

test.each([
  [undefined, { summary: 'no unsaved changes' }, 'No unsaved changes.\n'],
  ['Last save', { summary: '', problem: 'there is no sample' }, 'Last save: there is no sample\n'],
])('without rows: %s', (title, report, text) => {
  expect(changeText({ rows: [], ...report }, title)).toBe(text);
});

test('updates an open result after an edit', async () => {
  let summary = 'nothing changes for 1 sample';
  const results = createResults({ fire: () => undefined });
  const changed = new EventEmitter<void>();
  const view = createChangeView({
    model: { configuration: undefined, onDidChange: changed.event },
    requests: createServerRequests({
      sendRequest: async <Answer>() => ({ rows: [], summary }) as Answer,
    }),
    results,
    isBrowser: false,
    changed: { fire: () => undefined },
  });
  onTestFinished(() => void view.dispose());
  const shown = (): string =>
    results.text(Uri.from({ scheme: 'authgraph-result', path: '/access changes.txt' }));
  changed.fire();
  expect(shown()).toContain('no longer available');
  await view.showText();
  expect(shown()).toBe('Unsaved changes: nothing changes for 1 sample\n');
  summary = '1 sample loses access';
  changed.fire();
  await vi.waitFor(() => expect(shown()).toBe('Unsaved changes: 1 sample loses access\n'));
});

test('reports first that a text does not load', () => {
  const failure = {
    configuration: { index: 0 },
    text: 'This configuration does not load (1 error)',
  };
  const report: ChangeReport = {
    rows: [],
    summary: 'nothing changes for 1 sample, as if jwt[1] were removed',
    loadFailures: [
      {
        ...failure,
        asIf: 'as if jwt[1] were removed',
        errorCount: 1,
        errors: [],
        failedBefore: true,
      },
    ],
    failureBefore: 'the version to compare with does not load',
  };
  expect(changeText(report, 'Unsaved changes')).toBe(
    [
      'This configuration does not load (1 error)',
      'The version to compare with does not load',
      'Unsaved changes: nothing changes for 1 sample, as if jwt[1] were removed\n',
    ].join('\n'),
  );
});
