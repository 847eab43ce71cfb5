/** The access changes as text. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ShownChanges } from '../../extension/src/change/change-summary.ts';
import {
  type ChangeNode,
  changeChildren,
  changeItem,
  changeText,
} from '../../extension/src/change/change-tree.ts';
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
    changeText({ ...report, title: 'Unsaved changes' }),
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
  expect(changeText({ rows: [], ...report, ...(title === undefined ? {} : { title }) })).toBe(text);
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
    tree: {},
    marks: { show: () => undefined },
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
  expect(changeText({ ...report, title: 'Unsaved changes' })).toBe(
    [
      'This configuration does not load (1 error)',
      'The version to compare with does not load',
      'Unsaved changes: nothing changes for 1 sample, as if jwt[1] were removed\n',
    ].join('\n'),
  );
});

test('lists what was found or proved for all tokens, with lines', () => {
  const place = {
    uri: 'file:///w/a.yaml',
    range: { start: { line: 6, character: 2 }, end: { line: 6, character: 4 } },
  };
  const report: ShownChanges = {
    rows: [],
    summary: 'nothing changes for 1 sample',
    title: 'Unsaved changes',
    access: {
      rows: [
        {
          configuration: { index: 0 },
          gained: { kind: 'proved', text: 'no one gains access' },
          lost: {
            kind: 'found',
            text: 'someone loses access',
            changes: [
              {
                witness: { kind: 'anonymous', path: '/livez' },
                text: 'a request for /livez without a credential',
                details: ['can no longer log in as system:anonymous'],
                cause: [{ text: 'anonymous', field: 'anonymous', place }],
              },
            ],
          },
          changed: {
            kind: 'undecided',
            text: 'whether anyone gets another identity (12 requests were tried)',
            tried: 12,
            reasons: [{ text: 'the function indexOf' }],
          },
          settings: [{ setting: 'discoveryURL', text: 'discoveryURL: (none) → https://b' }],
        },
      ],
      problem: 'the version to compare with has errors',
    },
  };
  expect(changeText(report)).toBe(`The version to compare with has errors
Unsaved changes: nothing changes for 1 sample

All Tokens
  Found: someone loses access
    A request for /livez without a credential
    can no longer log in as system:anonymous
    line 7 · anonymous: anonymous
  Proved: no one gains access
  Undecided: whether anyone gets another identity (12 requests were tried)
    the function indexOf
  Changed setting: discoveryURL: (none) → https://b
`);
  // A sample answers the question.
  const answered = changeText({ ...report, rows: [row('zoe', { kind: 'changed' })] });
  expect(answered).toContain('Changed (1)');
  expect(answered).not.toContain('Undecided');
});

test('only rows at the top are expanded', () => {
  const report: ShownChanges = {
    rows: [row('jane', { kind: 'lost', details: ['x'] }), row('zoe', { kind: 'changed' })],
    summary: '',
    access: {
      rows: [
        {
          configuration: { index: 0 },
          gained: { kind: 'proved', text: 'x' },
          lost: { kind: 'undecided', text: 'x', tried: 1, reasons: [{ text: 'x' }] },
          changed: { kind: 'undecided', text: 'x', tried: 1, reasons: [{ text: 'x' }] },
          settings: [],
        },
      ],
    },
  };
  const below = (parent: ChangeNode | undefined): readonly ChangeNode[] =>
    changeChildren(parent, report);
  const expanded = (nodes: readonly ChangeNode[]): number =>
    nodes.filter((node) => Object(changeItem(node)).collapsibleState === 2).length;
  const top = below(undefined);
  expect(expanded(top)).toBe(3);
  expect(expanded(top.flatMap(below))).toBe(0);
});
