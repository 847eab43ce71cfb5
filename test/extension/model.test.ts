/** The document that the previews use. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createModel, type Model } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { editor } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const requests = createServerRequests({
  sendRequest: async <Answer>() => ({ samples: [], current: undefined }) as Answer,
});
const begin = (): Model => {
  const model = createModel(requests);
  onTestFinished(() => model.dispose());
  return model;
};
const text = 'kind: AuthenticationConfiguration\n';

beforeEach(() => editor.reset());

describe('a file without the configuration kind', () => {
  test('is used if a pattern of the settings matches it', () => {
    editor.open('/w/pod.yaml', 'kind: Pod\n');
    const expected = editor.open('/w/auth.yaml', 'jwt: []\n');
    expect(begin().configuration).toBeUndefined();
    editor.set('files', ['**/auth.yaml']);
    expect(begin().configuration).toBe(expected);
  });
  test('is used if a lens names it', async () => {
    const other = editor.open('/w/other.yaml', text);
    const expected = editor.open('/w/auth.yaml', 'jwt: []\n');
    const model = begin();
    expect(model.configuration).toBe(other);
    await model.switchTo(expected.uri.toString());
    expect(model.configuration).toBe(expected);
  });
});

test('has the samples of the configuration that is used', async () => {
  const named = (name: string) => ({ id: `file:///${name}`, name });
  const ofConfiguration = createServerRequests({
    sendRequest: async <Answer>(_: unknown, params: unknown) =>
      ({ samples: [named(String(Object(params).uri))], current: undefined }) as Answer,
  });
  const one = editor.open('/one/auth.yaml', text);
  const other = editor.open('/other/auth.yaml', 'jwt: []\n');
  const model = createModel(ofConfiguration);
  onTestFinished(() => model.dispose());
  await model.readSamples();
  expect(model.samples.map(({ name }) => name)).toEqual([one.uri.toString()]);
  await model.switchTo(other.uri.toString());
  expect(model.samples.map(({ name }) => name)).toEqual([other.uri.toString()]);
  editor.type(one, `${text}jwt: []\n`);
  await vi.waitFor(() =>
    expect(model.samples.map(({ name }) => name)).toEqual([one.uri.toString()]),
  );
});

test('reports a save, after which the saved file is another one', async () => {
  const configuration = editor.open('/w/auth.yaml', text);
  const model = begin();
  editor.type(configuration, `${text}jwt: []\n`);
  await new Promise((resolve) => setTimeout(resolve, 150));
  const changed = vi.fn();
  model.onDidChange(changed);
  await configuration.save();
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
});

test('keeps the current configuration while another document is edited', () => {
  const configuration = editor.open('/w/auth.yaml', text);
  const model = begin();
  editor.type(editor.open('/w/pod.yaml', 'kind: Pod\n'), 'kind: Job\n');
  expect(model.configuration).toBe(configuration);
});
