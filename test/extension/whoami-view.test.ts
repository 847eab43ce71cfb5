/** The samples that the whoami view shows. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSampleCommands } from '../../extension/src/identities/sample-commands.ts';
import { emptyAsFields } from '../../extension/src/messages/whoami.ts';
import { createModel } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { createLastAnswers } from '../../extension/src/whoami/last-answers.ts';
import { whoamiState } from '../../extension/src/whoami/whoami-state.ts';
import { createWhoamiView } from '../../extension/src/whoami/whoami-view.ts';
import {
  verdictsRequest,
  type WhoamiRow,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { editor, Uri } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

beforeEach(() => editor.reset());

/** The configuration whose first authenticator accepts the issuer, by sample. */
const configurationBySample = { ada: 0, bob: 1, eve: 0, zoe: 1 };

test.each([
  ['of another configuration', 1, ['ada', 'bob', 'zoe']],
  ['of the authenticator of the current sample', 0, ['ada']],
])('shows the samples %s', async (_, configuration, names) => {
  const requested: unknown[] = [];
  const answerTo = (method: unknown): object => {
    const samples = Object.keys(configurationBySample).map((name) => ({ id: name, name }));
    if (method !== verdictsRequest) return { samples, current: 'ada', rows: [] };
    const rows = Object.entries(configurationBySample).map(([id, index]) => ({
      sample: { id, name: id },
      configuration: { index },
      authenticator: 0,
    }));
    return { rows };
  };
  const requests = createServerRequests({
    sendRequest: async <Answer>(method: unknown, params?: unknown) => {
      if (method === whoamiRequest) requested.push(params);
      return answerTo(method) as Answer;
    },
  });
  editor.open('/w/a.yaml', 'kind: AuthenticationConfiguration\n');
  const model = createModel(requests);
  const results = createResults({ fire: () => undefined });
  const samples = createSampleCommands({
    model,
    requests,
    results,
    platform: { host: 'desktop', files: () => 'server' },
    memory: { keys: () => [], get: () => undefined, update: async () => undefined },
  });
  const extension: Parameters<typeof createWhoamiView>[0]['extension'] = Uri.file('/extension');
  const view = createWhoamiView({ model, requests, samples, results, extension });
  onTestFinished(() => {
    view.dispose();
    model.dispose();
  });
  await model.readSamples();
  await view.explain({ authenticator: 0, configuration });
  await view.showResult();
  expect(requested).toEqual([{ uri: 'file:///w/a.yaml', samples: names }]);
});

const row = (id: string, verdict: WhoamiRow['verdict']): WhoamiRow => ({
  sample: { id, name: id },
  configuration: { index: 0 },
  verdict,
  headline: `${id} ${verdict}`,
  ...{ sources: [], steps: [], whyNot: [], commandLine: '', namesFile: true, yaml: '' },
});

test('shows the last answer of the document of the report, with its assumption', () => {
  const document = editor.open('/w/a.yaml', 'kind: AuthenticationConfiguration\n');
  const uri = document.uri.toString();
  const lastAnswers = createLastAnswers();
  const failure = {
    configuration: { index: 0 },
    ...{ text: 'It does not load', asIf: 'as if jwt[1] were removed', errorCount: 1, errors: [] },
  };
  const acting = { allowed: true, questions: [] };
  const accepted = { ...row('ada', 'accepted'), acting };
  lastAnswers.remember(uri, { rows: [accepted], loadFailures: [failure] });
  // Another document is current by now.
  editor.open('/w/b.yaml', 'kind: AuthenticationConfiguration\n');
  const model = createModel(
    createServerRequests({ sendRequest: async <Answer>() => ({ samples: [] }) as Answer }),
  );
  onTestFinished(() => model.dispose());
  const stale = () =>
    whoamiState({ number: 1, report: { rows: [row('ada', 'undecided')] }, document }, model, {
      as: emptyAsFields,
      isShown: () => true,
      lastAnswers,
    }).rows[0]?.stale;
  expect(stale()).toMatchObject({
    title: 'As of before your edit',
    row: { asIf: 'as if jwt[1] were removed', acting: undefined },
  });
  lastAnswers.markOutdated(uri);
  expect(stale()).toMatchObject({ title: 'Last answer' });
});

test('remembers the last answer of a sample, and completes a report without rows', () => {
  const answers = createLastAnswers();
  answers.remember('a.yaml', { rows: [row('ada', 'accepted'), row('bob', 'undecided')] });
  expect(answers.of('a.yaml', row('ada', 'undecided'))?.row.headline).toBe('ada accepted');
  expect(answers.of('a.yaml', row('ada', 'accepted'))).toBeUndefined();
  expect(answers.of('a.yaml', row('bob', 'undecided'))).toBeUndefined();
  expect(answers.of('b.yaml', row('ada', 'undecided'))).toBeUndefined();
  const report = { rows: [], problem: 'no configuration' };
  expect(answers.complete('a.yaml', report, ['ada', 'bob']).rows).toMatchObject([
    { sample: { id: 'ada' }, verdict: 'undecided', reason: 'no configuration' },
  ]);
  expect(answers.complete('b.yaml', report, ['ada']).rows).toEqual([]);
  expect(answers.complete('a.yaml', report, ['bob']).rows).toEqual([]);
  expect(answers.of('a.yaml', row('ada', 'undecided'))?.isOutdated).toBe(false);
  answers.markOutdated('a.yaml');
  expect(answers.of('a.yaml', row('ada', 'undecided'))?.isOutdated).toBe(true);
  answers.forget('a.yaml');
  expect(answers.of('a.yaml', row('ada', 'undecided'))).toBeUndefined();
});
