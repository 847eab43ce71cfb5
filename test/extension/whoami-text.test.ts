/** Whoami results as text, also for several configurations; and copied commands. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { URI } from 'vscode-uri';
import { parseAllDocuments } from 'yaml';
import { stepText } from '../../extension/src/messages/whoami.ts';
import { createResults, type Results } from '../../extension/src/results.ts';
import { createRowActions } from '../../extension/src/whoami/row-actions.ts';
import { reportText, rowText } from '../../extension/src/whoami/whoami-text.ts';
import type { PlaceInFile, WhoamiRow } from '../../language-server/src/protocol.ts';
import { editor, workspace } from './fake-vscode.ts';

vi.mock('vscode', async () => {
  const fake = await import('./fake-vscode.ts');
  return { ...fake, window: { ...fake.window, showTextDocument: async () => undefined } };
});

beforeEach(() => editor.reset());

const line = (number: number): PlaceInFile => ({
  uri: 'file:///w/a.yaml',
  range: {
    start: { line: number - 1, character: 4 },
    end: { line: number - 1, character: 9 },
  },
});
const row = {
  sample: { id: 'memory:1', name: 'ada' },
  configuration: { index: 0 },
  verdict: 'accepted',
  headline: 'ada → people:ada · 1 group',
  sources: [],
  steps: [
    { at: 'jwt[0]', what: 'issuer', outcome: 'passed', value: '"https://a.example"', values: [] },
    {
      at: 'jwt[0].claimMappings.username',
      what: 'username',
      outcome: 'value',
      detail: '"people:" +\n  claims.sub',
      value: '"people:ada"',
      values: [{ expression: 'claims.sub', value: '"ada"' }],
      place: line(7),
    },
  ],
  whyNot: [],
  commandLine: 'authgraph whoami --config /w/a.yaml --claims - --explain',
  namesFile: true,
  yaml: 'kind: SelfSubjectReview\n',
} as const satisfies WhoamiRow;
const refused = {
  ...row,
  sample: { id: 'memory:2', name: 'eve' },
  verdict: 'rejected',
  headline: 'eve rejected by claimValidationRules[0]: no tenant',
  code: 'AG5016',
  message: 'oidc: no tenant',
  place: line(9),
  steps: [],
  whyNot: [{ text: 'if tenant were "a"', claims: '{}' }],
  yaml: 'kind: Status\n',
} as const satisfies WhoamiRow;

test('shows the YAML of a client with the steps', () => {
  expect(rowText(row)).toBe(`# ada → people:ada · 1 group
kind: SelfSubjectReview
# Steps:
#   ✓ issuer → "https://a.example"
#   = username: "people:" + claims.sub → "people:ada" (L7)
#       claims.sub → "ada"
`);
});

test('shows a rejection with its rule and an accepted change', () => {
  expect(rowText(refused)).toBe(`# eve rejected by claimValidationRules[0]: no tenant
kind: Status
# Rejected:
#   AG5016 oidc: no tenant (L9)
# Would be accepted:
#   if tenant were "a"
`);
});

test('shows that the saved file accepts the sample, or the closest accepted one', () => {
  const saved = rowText({ ...refused, whyNot: [], acceptedWhenSaved: true });
  expect(saved).toContain(`# Would be accepted:
#   by the saved file, without the unsaved edits
`);
  const closest = 'ada is accepted and has hd: "a" instead of "b"';
  expect(rowText({ ...refused, whyNot: [], closest })).toContain(`# Closest accepted sample:
#   ada is accepted and has hd: "a" instead of "b"
`);
});

test('shows impersonation with its authorization checks', () => {
  const questions = [
    { text: 'impersonate users "bob"', allowed: true, reason: 'RBAC: allowed' },
    { text: 'impersonate groups "ops"', allowed: false, reason: '' },
  ];
  expect(rowText({ ...row, acting: { allowed: false, questions } })).toContain(
    '# Impersonation:\n#   ✓ impersonate users "bob" RBAC: allowed\n#   ✗ impersonate groups "ops"\n',
  );
});

test('combines all rows as YAML documents, whatever names and details contain', () => {
  const hostile = { ...row, headline: 'a\r\nkind: Evil\u2028kind: Evil' };
  const documents = parseAllDocuments(reportText({ rows: [row, refused, hostile] }));
  expect(documents).toMatchObject([{ errors: [] }, { errors: [] }, { errors: [] }]);
  expect(documents.map((document) => document.toJS())).toEqual([
    { kind: 'SelfSubjectReview' },
    { kind: 'Status' },
    { kind: 'SelfSubjectReview' },
  ]);
});

const actionsFor = (isDirty: boolean) => {
  const document = editor.open('/w/a.yaml', '');
  document.isDirty = isDirty;
  const stored = createResults({ fire: () => undefined });
  const names = new Set<string>();
  const results: Results = {
    ...stored,
    put(name, text) {
      names.add(name);
      return stored.put(name, text);
    },
  };
  const actions = createRowActions({
    samples: { addToMemory: async () => undefined },
    results,
  });
  onTestFinished(() => void actions.dispose());
  const texts = (): readonly string[] =>
    [...names].map((name) => {
      const uri = URI.from({ scheme: 'authgraph-result', path: `/${name}` });
      return `${name}\n${stored.text(uri)}`;
    });
  return { acts: actions, texts, document };
};

describe('open results', () => {
  const rows = ['one · a', 'two · a', 'two - a'].map((title, index) => ({
    ...row,
    configuration: { index, title },
    yaml: `kind: ${title}\n`,
  }));
  test('are separate for each configuration', async () => {
    const { acts, texts, document } = actionsFor(false);
    for (const each of rows) await acts.run({ kind: 'yaml', number: 1, row: 0 }, each, document);
    acts.follow({ rows });
    expect(texts().map((text) => text.split('\n').slice(0, 3))).toEqual([
      ['whoami ada 1 one-a.yaml', '# one · a: ada → people:ada · 1 group', 'kind: one · a'],
      ['whoami ada 2 two-a.yaml', '# two · a: ada → people:ada · 1 group', 'kind: two · a'],
      ['whoami ada 3 two---a.yaml', '# two - a: ada → people:ada · 1 group', 'kind: two - a'],
    ]);
  });
  test('stay with their sample if another has the same name', async () => {
    const { acts, texts, document } = actionsFor(false);
    await acts.run({ kind: 'yaml', number: 1, row: 0 }, row, document);
    acts.follow({
      rows: [row, { ...row, sample: { id: 'memory:7', name: 'ada' }, yaml: 'kind: Other\n' }],
    });
    expect(texts()).toEqual([`whoami ada.yaml\n${rowText(row)}`]);
  });
  test('contain every row, and are updated', async () => {
    const { acts, texts } = actionsFor(false);
    await acts.openReport({ rows });
    acts.follow({ rows: [refused] });
    expect(texts()).toEqual([`whoami.yaml\n${rowText(refused)}`]);
    acts.follow({ rows: [], problem: 'jwt[0] has errors' });
    expect(texts()).toEqual(['whoami.yaml\n# jwt[0] has errors\n']);
  });
});

test('reverts the configuration of the row', async () => {
  const { acts, document } = actionsFor(true);
  editor.open('/w/b.yaml', '');
  const opens = vi.spyOn(workspace, 'openTextDocument');
  await acts.run({ kind: 'revert', number: 1, row: 0 }, row, document);
  expect(opens.mock.calls).toEqual([[document.uri]]);
  expect(editor.ran).toContainEqual(['workbench.action.files.revert']);
});

test.each([
  [
    'an unsaved edit',
    true,
    true,
    [
      'AuthGraph: the command reads the saved version of a.yaml, without your unsaved changes: save it first.',
    ],
  ],
  ['a saved file', false, true, []],
  ['a configuration passed on standard input', true, false, []],
])('copies a command for %s', async (_, isDirty, namesFile, messages) => {
  const { acts, document } = actionsFor(isDirty);
  await acts.run({ kind: 'copy', number: 1, row: 0 }, { ...row, namesFile }, document);
  expect(editor.messages.map(({ text }) => text)).toEqual(messages);
});

test.each([
  ['passed', ', passed'],
  ['failed', ', failed'],
  ['skipped', ', skipped'],
  ['value', ''],
  ['note', ''],
] as const)('a screen reader reads the outcome of a step: %s', (outcome, word) => {
  const step = { at: 'jwt[0]', what: 'claim rule', outcome, values: [], line: undefined };
  const text = { what: 'claim rule', detail: '', line: '', outcome: word };
  expect(stepText(step)).toEqual(text);
  expect(stepText({ ...step, detail: 'true', line: 12 })).toEqual({
    ...text,
    detail: ': true',
    line: ' L12',
  });
});
