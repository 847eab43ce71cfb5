/** The graph panel: its file, its width, and pictures that the page draws. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGraphView } from '../../extension/src/graph/graph-view.ts';
import { createSampleCommands } from '../../extension/src/identities/sample-commands.ts';
import { createModel } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { graphRequest, samplesRequest } from '../../language-server/src/protocol.ts';
import { editor, env, Uri, workspace } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const picture = {
  title: 'a.yaml',
  svg: '<svg/>',
  nodes: [],
  mermaid: '',
  text: '',
  commandLine: 'authgraph graph /w/a.yaml',
  namesFile: true,
};
const picturesOf = createServerRequests({
  sendRequest: async <Answer>() => ({ pictures: [picture], samples: [] }) as Answer,
});

const begin = (requests = picturesOf) => {
  const model = createModel(requests);
  const results = createResults({ fire: () => undefined });
  const samples = createSampleCommands({
    model,
    requests,
    results,
    platform: { host: 'desktop', files: () => 'server' },
    memory: { keys: () => [], get: () => undefined, update: async () => undefined },
  });
  const extension: Parameters<typeof createGraphView>[0]['extension'] = Uri.file('/extension');
  const active: (string | undefined)[] = [];
  const view = createGraphView({
    ...{ model, requests, samples, results, extension },
    activeChanged: (document) => active.push(document?.uri.path),
  });
  onTestFinished(() => {
    view.dispose();
    model.dispose();
  });
  return Object.assign(view, { model, active, results });
};
const drawPng = expect.objectContaining({ kind: 'drawPng' });
/** Index of the PNG format. */
const png = 1;

beforeEach(() => editor.reset());

test('writes a PNG that a ready page draws once', async () => {
  const view = begin();
  editor.picks(png);
  editor.savesAt('/w/[a](command:b).png');
  const written = view.exportPicture();
  await vi.waitFor(() => expect(editor.panels).toHaveLength(1));
  const [page] = editor.panels;
  page?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(page?.posted).toContainEqual(drawPng));
  page?.sends({ kind: 'png', bytes: new TextEncoder().encode('drawn') });
  await written;
  expect(page?.posted.filter((message) => drawPng.asymmetricMatch(message))).toHaveLength(1);
  expect(workspace.textDocuments.map(({ text }) => text)).toEqual(['drawn']);
  expect(editor.messages.map(({ text }) => text)).toEqual([
    'AuthGraph: exported [a] (command:b).png.',
  ]);
});

test('stops waiting for a closed page, and the next page draws nothing', async () => {
  const view = begin();
  editor.picks(png);
  const written = view.exportPicture();
  await vi.waitFor(() => expect(editor.panels).toHaveLength(1));
  editor.panels[0]?.dispose();
  await written;
  expect(editor.messages.map(({ text }) => text)).toEqual([
    "AuthGraph: the picture couldn't be drawn. Try SVG.",
  ]);
  await view.reveal();
  const [, next] = editor.panels;
  next?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(next?.posted.length).toBeGreaterThan(1));
  expect(next?.posted).not.toContainEqual(drawPng);
});

test('reports that a copied command reads the saved file', async () => {
  const document = editor.open('/w/a.yaml', 'kind: AuthenticationConfiguration\n');
  const view = begin();
  await view.reveal();
  const [page] = editor.panels;
  page?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(page?.posted.length).toBeGreaterThan(1));
  page?.sends({ kind: 'copy' });
  await vi.waitFor(async () => expect(await env.clipboard.readText()).toBe(picture.commandLine));
  expect(editor.messages).toEqual([]);
  editor.type(document, 'kind: AuthenticationConfiguration\njwt: []\n');
  page?.sends({ kind: 'copy' });
  await vi.waitFor(() => expect(editor.messages).toHaveLength(1));
  expect(editor.messages[0]?.text).toContain('the command reads the saved version of a.yaml');
});

test('shows the last pictures while they cannot be drawn, but not those of another sample', async () => {
  editor.open('/w/a.yaml', 'kind: AuthenticationConfiguration\n');
  let answer: object = { pictures: [picture] };
  let current = 'ada';
  const samples = [{ id: 'eve', name: 'eve' }];
  const view = begin(
    createServerRequests({
      sendRequest: async <Answer>(method: unknown) =>
        // Another configuration is the current one; the sample is that of the graph's file.
        (method === graphRequest
          ? { ...answer, sample: { id: current, name: current } }
          : { samples, current: 'eve' }) as Answer,
    }),
  );
  await view.model.readSamples();
  await view.reveal();
  const [page] = editor.panels;
  const states = () =>
    page?.posted.filter((message) =>
      expect.objectContaining({ kind: 'state' }).asymmetricMatch(message),
    );
  page?.sends({ kind: 'ready' });
  await vi.waitFor(() => expect(states()?.at(-1)).toMatchObject({ sample: 'ada', isStale: false }));
  answer = { pictures: [], problem: 'the configuration has errors' };
  await view.model.readSamples();
  await vi.waitFor(() =>
    expect(states()?.at(-1)).toMatchObject({ isStale: true, pictures: [{ title: 'a.yaml' }] }),
  );
  current = 'bob';
  await view.model.readSamples();
  await vi.waitFor(() => expect(states()?.at(-1)).toMatchObject({ sample: 'bob', pictures: [] }));
});

test('its text starts with the problem', async () => {
  const answer = { pictures: [{ ...picture, text: 'the graph\n' }], problem: 'it does not load' };
  const view = begin(createServerRequests({ sendRequest: async <Answer>() => answer as Answer }));
  const uri = Uri.from({ scheme: 'authgraph-result', path: '/authenticator graph.txt' });
  editor.open(uri.path, '');
  await view.showText().catch(() => undefined);
  expect(view.results.text(uri as never)).toBe('it does not load\n\na.yaml\n\nthe graph\n');
});

describe('the file of the graph', () => {
  const text = 'kind: AuthenticationConfiguration\n';
  const start = async () => {
    const [first, second] = [editor.open('/w/a.yaml', text), editor.open('/w/b.yaml', text)];
    const requested: unknown[] = [];
    const view = begin(
      createServerRequests({
        sendRequest: async <Answer>(method: unknown, params?: unknown) => {
          if (method === graphRequest || method === samplesRequest) requested.push(params);
          return { pictures: [picture], samples: [] } as Answer;
        },
      }),
    );
    await view.model.switchTo(first.uri.toString());
    await view.reveal();
    const [page] = editor.panels;
    page?.sends({ kind: 'width', width: 320 });
    page?.sends({ kind: 'ready' });
    const shows = (file: string) =>
      vi.waitFor(() => expect(page?.posted).toContainEqual(expect.objectContaining({ file })));
    await shows('a.yaml');
    return { view, first, second, page, requested, shows };
  };
  test('stays while another configuration is the current one', async () => {
    const { view, first, second, page, requested } = await start();
    const before = requested.length;
    await view.model.switchTo(second.uri.toString());
    await vi.waitFor(() => expect(requested.length).toBeGreaterThan(before));
    expect(requested.at(-1)).toEqual({ uri: first.uri.toString(), width: 320 });
    expect(page?.title).toBe('Graph: a.yaml');
  });
  test('is the one for which the graph is opened again', async () => {
    const { view, second, page, shows } = await start();
    await view.model.switchTo(second.uri.toString());
    await view.reveal();
    await shows('b.yaml');
    expect(page?.title).toBe('Graph: b.yaml');
  });
  test('is the current one after it was closed', async () => {
    const { first, shows } = await start();
    editor.close(first);
    await shows('b.yaml');
  });
  test('is the current one after the panel was closed', async () => {
    const { view, second, page, requested } = await start();
    await view.model.switchTo(second.uri.toString());
    page?.dispose();
    await view.showText().catch(() => undefined);
    expect(requested.at(-1)).toMatchObject({ uri: second.uri.toString() });
  });
  test('is the one whose samples are offered', async () => {
    const { view, first, second, page, requested } = await start();
    await view.model.switchTo(second.uri.toString());
    page?.sends({ kind: 'select' });
    await vi.waitFor(() => expect(requested).toContainEqual({ uri: first.uri.toString() }));
  });
  test('is reported while the panel is the active editor', async () => {
    const { view, page } = await start();
    expect(view.active.at(-1)).toBe('/w/a.yaml');
    page?.dispose();
    expect(view.active.at(-1)).toBeUndefined();
  });
  test('is drawn again for another width, but not for the same one', async () => {
    const { page, requested } = await start();
    const before = requested.length;
    page?.sends({ kind: 'width', width: 320 });
    page?.sends({ kind: 'width', width: -1 });
    page?.sends({ kind: 'width', width: 1400 });
    await vi.waitFor(() => expect(requested.length).toBe(before + 1));
    expect(requested.at(-1)).toMatchObject({ width: 1400 });
  });
});
