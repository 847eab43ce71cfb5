/** The badge and the marks of an unsaved edit: what they count, and when they are shown. */
import {
  type AccessDifferenceReport,
  accessDifferenceRequest,
  type ChangeReport,
  type ChangeRow,
  changeRequest,
} from '@authgraph/language-server/protocol';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { badgeOf, lossesOf, type ShownChanges } from '../../extension/src/change/change-summary.ts';
import { createChangeView } from '../../extension/src/change/change-view.ts';
import { createLossMarks } from '../../extension/src/change/loss-marks.ts';
import { createModel } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { editor, Uri } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const uri = 'file:///w/auth.yaml';
const placeAt = (line: number) => ({
  uri,
  range: { start: { line, character: 2 }, end: { line, character: 9 } },
});

const row = (
  name: string,
  kind: ChangeRow['kind'],
  overrides: Partial<ChangeRow> = {},
): ChangeRow => ({
  sample: { id: name, name },
  configuration: { index: 0 },
  kind,
  overall: kind,
  before: '',
  after: '',
  details: kind === 'lost' ? [`can no longer log in as oidc:${name}`] : [],
  beforeYaml: '',
  afterYaml: '',
  ...overrides,
});

const lostToken = {
  kind: 'found' as const,
  text: 'someone loses access',
  changes: [
    {
      witness: { kind: 'anonymous' as const, path: '/' },
      text: 'a token with the claims {"sub":""}',
      details: [],
      cause: [
        { text: 'claims.hd', place: placeAt(4) },
        { text: 'claims.x', place: placeAt(6) },
        { text: 'removed' },
      ],
    },
  ],
};
const proved = { kind: 'proved' as const, text: 'no one gains access' };
const access: AccessDifferenceReport = {
  rows: [
    { configuration: { index: 0 }, gained: proved, lost: lostToken, changed: proved, settings: [] },
  ],
};
const failure = {
  configuration: { index: 0 },
  text: 'This configuration does not load (1 error)',
  asIf: 'as if its errors were fixed',
  errorCount: 1,
  errors: [],
  failedBefore: false,
};

const only = (name: string, kind: ChangeRow['kind']) => ({ rows: [row(name, kind)], summary: '' });

test('the badge counts each sample once, and names it', () => {
  const changes: ShownChanges = {
    rows: [
      row('jane', 'lost'),
      row('jane', 'lost', { configuration: { index: 1 } }),
      row('bob', 'same'),
      row('zoe', 'changed'),
      ...Array.from({ length: 7 }, (_, index) => row(`g${index}`, 'gained')),
    ],
    summary: '',
    access,
  };
  expect(badgeOf({ ...changes, title: 'Unsaved changes' })).toEqual({
    value: 9,
    tooltip: 'Unsaved changes\nLost: jane\nGained: g0, g1, g2, g3, g4, 2 more\nChanged: zoe',
  });
});

test('the badge counts an example of a change that no sample shows', () => {
  expect(badgeOf({ ...only('bob', 'same'), access, title: 'Unsaved changes' })).toEqual({
    value: 1,
    tooltip: 'Unsaved changes\nLost: a token with the claims {"sub":""}',
  });
});

test('a sample that moves to another configuration is counted as changed, and not marked', () => {
  const [lost] = access.rows;
  if (lost === undefined) throw new Error('there is a row');
  const changes: ShownChanges = {
    rows: [
      row('jane', 'lost', { overall: 'changed', place: placeAt(4) }),
      row('jane', 'gained', { overall: 'changed', configuration: { index: 1 } }),
    ],
    summary: '',
    access: {
      rows: [lost, { ...lost, configuration: { index: 1 }, lost: proved, gained: lostToken }],
    },
  };
  expect(badgeOf(changes)).toEqual({ value: 1, tooltip: '\nChanged: jane' });
  expect(lossesOf(changes)).toEqual([]);
});

test('marks lines that reject samples, and further lines of examples', () => {
  const rows = [row('jane', 'lost', { place: placeAt(4) }), row('joe', 'lost')];
  expect(lossesOf({ rows, summary: '', access })).toEqual([
    { place: placeAt(4), text: 'jane can no longer log in as oidc:jane' },
    { place: placeAt(6), text: 'a token with the claims {"sub":""} is no longer accepted' },
  ]);
});

test.each<[string, ShownChanges]>([
  ['nothing changes', { rows: [row('bob', 'same')], summary: '' }],
  [
    'the text does not load',
    { rows: [row('jane', 'lost', { place: placeAt(4) })], summary: '', loadFailures: [failure] },
  ],
  [
    'the text before does not load',
    { rows: [row('jane', 'lost', { place: placeAt(4) })], summary: '', failureBefore: 'x', access },
  ],
])('there are no badge and no marks if %s', (_, changes) => {
  expect(badgeOf({ ...changes, title: 'Unsaved changes' })).toBeUndefined();
  expect(lossesOf(changes)).toEqual([]);
});

const text = 'kind: AuthenticationConfiguration\n';

const begin = () => {
  const answers: { change: ChangeReport | Promise<ChangeReport> } = {
    change: { rows: [row('jane', 'lost', { place: placeAt(4) })], summary: '1 loses access' },
  };
  const requested: string[] = [];
  const requests = createServerRequests({
    sendRequest: async (method: unknown) => {
      requested.push(String(method));
      return (method === changeRequest ? answers.change : access) as never;
    },
  });
  const document = editor.open('/w/auth.yaml', text);
  editor.shows(document);
  const model = createModel(requests);
  const { configuration } = model;
  if (configuration === undefined) throw new Error('the configuration is open');
  const tree: { badge?: { readonly value: number; readonly tooltip: string } | undefined } = {};
  const marks = createLossMarks(Uri.file('/extension'));
  const view = createChangeView({
    ...{ model, requests, tree, marks },
    results: createResults({ fire: () => undefined }),
    isBrowser: false,
    changed: { fire: () => undefined },
  });
  onTestFinished(() => {
    view.dispose();
    marks.dispose();
    model.dispose();
  });
  return { answers, requested, document, configuration, tree, view };
};

/** The lines with decorations, and the text of their hovers. */
const shownMarks = () =>
  editor.visible.flatMap(({ decorations }) =>
    decorations.map((one) => [Object(one).range.start, Object(one).hoverMessage.value]),
  );

beforeEach(() => editor.reset());

test('a hidden view has a badge and marks while a configuration has unsaved edits', async () => {
  const { answers, requested, document, tree } = begin();
  editor.type(document, `${text}# edited\n`);
  await vi.waitFor(() => expect(tree.badge).toMatchObject({ value: 1 }), 3000);
  expect(tree.badge?.tooltip).toBe('Unsaved changes\nLost: jane');
  const mark = [4, 'Unsaved changes:\njane can no longer log in as oidc:jane'];
  expect(shownMarks()[0]).toEqual(mark);
  expect(requested.filter((method) => method === changeRequest)).toHaveLength(1);
  expect(requested.filter((method) => method === accessDifferenceRequest)).toHaveLength(1);
  editor.shows();
  editor.shows(document);
  expect(shownMarks()[0]).toEqual(mark);
  answers.change = { rows: [], summary: '', loadFailures: [failure] };
  editor.type(document, `${text}jwt: x\n`);
  await vi.waitFor(() => expect(tree.badge).toBeUndefined(), 3000);
  expect(shownMarks()).toEqual([]);
});

test('a saved configuration has no badge, and no comparison runs for it', async () => {
  const { requested, document, tree } = begin();
  editor.type(document, `${text}# edited\n`);
  await vi.waitFor(() => expect(tree.badge).toBeDefined(), 3000);
  requested.length = 0;
  await document.save();
  await vi.waitFor(() => expect(tree.badge).toBeUndefined(), 3000);
  expect(shownMarks()).toEqual([]);
  expect(requested).not.toContain(changeRequest);
});

test('a result that is late does not replace that of a later edit', async () => {
  const { answers, document, tree, view } = begin();
  const slow = Promise.withResolvers<ChangeReport>();
  const late = await answers.change;
  answers.change = slow.promise;
  editor.type(document, `${text}# one\n`);
  const children = view.getChildren();
  answers.change = { rows: [], summary: 'nothing changes for 1 sample' };
  editor.type(document, `${text}# two\n`);
  await vi.waitFor(() => expect(tree.badge?.tooltip).toContain('a token'), 3000);
  slow.resolve(late);
  expect((await children)[0]).toMatchObject({
    text: 'Unsaved changes: nothing changes for 1 sample',
  });
  expect(tree.badge?.tooltip).not.toContain('jane');
});

test('a save during the comparison leaves no badge of the last save', async () => {
  const { answers, document, configuration, tree, view, requested } = begin();
  const slow = Promise.withResolvers<ChangeReport>();
  const lost = await answers.change;
  answers.change = slow.promise;
  editor.type(document, `${text}# edited\n`);
  await vi.waitFor(() => expect(requested).toContain(changeRequest), 3000);
  await document.save();
  view.followSave(configuration, { text, samples: [] });
  slow.resolve(lost);
  answers.change = lost;
  await view.getChildren();
  await new Promise((resolve) => setImmediate(resolve));
  expect(tree.badge).toBeUndefined();
  expect(shownMarks()).toEqual([]);
});
