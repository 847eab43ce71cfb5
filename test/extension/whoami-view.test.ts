/** The samples that the whoami view shows. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSampleCommands } from '../../extension/src/identities/sample-commands.ts';
import { createModel } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { createWhoamiView } from '../../extension/src/whoami/whoami-view.ts';
import { verdictsRequest, whoamiRequest } from '../../language-server/src/protocol.ts';
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
    if (method !== verdictsRequest) return { samples, chosen: 'ada', rows: [] };
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
