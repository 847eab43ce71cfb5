/** Samples in memory and the selection survive a restart of the language server. */
import {
  chooseSampleRequest,
  memorySampleRequest,
  newConfigurationRequest,
  providersRequest,
  removeSampleRequest,
  type SampleRow,
  samplesRequest,
} from '@authgraph/language-server/protocol';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createSampleCommands } from '../../extension/src/identities/sample-commands.ts';
import { createModel } from '../../extension/src/model.ts';
import { newConfiguration } from '../../extension/src/new-configuration.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { editor } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

/** A fake language server with sample files, and the samples it has received since its start. */
const startServer = (files: readonly string[], rejectedName?: string) => {
  const rows: SampleRow[] = files.map((name) => ({
    id: `file:///w/${name}.claims.json`,
    name,
    uri: `file:///w/${name}.claims.json`,
  }));
  let made = 0;
  let current = rows[0]?.id;
  const answers: Readonly<Record<string, (params: Partial<SampleRow>) => unknown>> = {
    [samplesRequest]: () => ({ samples: rows, current }),
    [memorySampleRequest]: ({ name = '' }) => {
      if (name === rejectedName) throw new Error('the server ended');
      if (name.length > 200) throw new Error('a sample has a name of at most 200 characters');
      made += 1;
      rows.push({ id: `memory:${made}`, name });
      return `memory:${made}`;
    },
    [chooseSampleRequest]: ({ id, name }) => {
      const found = rows.find((row) => row.id === id || row.name === name);
      if (found === undefined) throw new Error('there is no such sample');
      current = found.id;
      return { samples: rows, current };
    },
    [removeSampleRequest]: ({ id }) =>
      rows.splice(
        rows.findIndex((row) => row.id === id),
        1,
      ).length > 0,
    [providersRequest]: () => [{ id: 'okta', title: 'Okta', description: '' }],
    [newConfigurationRequest]: () => ({ files: [{ name: 'zoe.claims.json', text: '{}' }] }),
  };
  return { answers, names: () => rows.map(({ name }) => name) };
};

/** A window whose server can be replaced. */
const openWindow = (
  first: ReturnType<typeof startServer>,
  remembered = new Map<string, unknown>(),
) => {
  let server = first;
  const requests = createServerRequests({
    sendRequest: async (method: unknown, params: unknown) =>
      server.answers[String(method)]?.(Object(params)) as never,
  });
  const model = createModel(requests);
  const samples = createSampleCommands({
    model,
    requests,
    results: createResults({ fire: () => undefined }),
    platform: { host: 'desktop', files: () => 'server' },
    memory: {
      keys: () => [...remembered.keys()],
      get: (key: string) => remembered.get(key) as never,
      update: async (key, value) => void remembered.set(key, value),
    },
  });
  return {
    requests,
    model,
    samples,
    restart: (next: ReturnType<typeof startServer>) => {
      server = next;
      return samples.restore();
    },
  };
};

beforeEach(() => editor.reset());

describe('after a restart of the language server', () => {
  test('restores samples in memory and their selection', async () => {
    const { samples, model, restart } = openWindow(startServer(['jane']));
    await samples.addToMemory('gone', '{}');
    await samples.drop(model.current);
    await samples.addToMemory('ada', '{}');
    await samples.addToMemory('bob', '{}');
    await samples.choose({ id: 'memory:2', name: 'ada' });
    const next = startServer(['jane']);
    await restart(next);
    expect(next.names()).toEqual(['jane', 'ada', 'bob']);
    expect(model.current).toEqual({ id: 'memory:1', name: 'ada' });
  });
  test('restores the selection of a file', async () => {
    const { samples, model, restart } = openWindow(startServer(['jane', 'joe']));
    await samples.choose(model.samples[1] ?? { id: 'file:///w/joe.claims.json', name: 'joe' });
    await restart(startServer(['jane', 'joe']));
    expect(model.current?.name).toBe('joe');
  });
  test('restores the others if one is rejected, and tries it again', async () => {
    const { samples, model, restart } = openWindow(startServer([]));
    for (const name of ['ada', 'bob', 'cid']) await samples.addToMemory(name, '{}');
    const half = startServer([], 'bob');
    await restart(half);
    expect([half.names(), model.current?.name]).toEqual([['ada', 'cid'], 'cid']);
    expect(editor.messages.at(-1)?.text).toBe(
      'AuthGraph: the language server rejected bob after its restart. Restart it again.',
    );
    const whole = startServer([]);
    await restart(whole);
    expect([whole.names(), model.current?.name]).toEqual([['ada', 'cid', 'bob'], 'cid']);
  });
  test('keeps the sample of a new configuration selected', async () => {
    const first = startServer(['jane', 'zoe']);
    const { requests, model, samples, restart } = openWindow(first);
    editor.picks(0);
    await newConfiguration({ requests, model, samples, showWhoami: async () => undefined });
    expect(model.current?.name).toBe('zoe');
    await restart(startServer(['jane', 'zoe']));
    expect(model.current?.name).toBe('zoe');
  });
});

test('restores the selected files in a new window, the last one last, and stores nothing else', async () => {
  const remembered = new Map<string, unknown>();
  const { samples, model } = openWindow(startServer(['jane', 'joe', 'zoe']), remembered);
  await model.readSamples();
  for (const index of [1, 2, 1]) await samples.choose(model.samples[index]);
  await samples.addToMemory('ada', '{"secret":"of a token"}');
  expect([...remembered.values()]).toEqual([['zoe', 'joe']]);
  const next = startServer(['jane', 'joe', 'zoe']);
  const received: unknown[] = [];
  const choose = next.answers[chooseSampleRequest];
  const window = openWindow(
    {
      ...next,
      answers: {
        ...next.answers,
        [chooseSampleRequest]: (params) => {
          received.push(params);
          return choose?.(params);
        },
      },
    },
    remembered,
  );
  await window.samples.restore();
  expect(received).toEqual([{ id: 'joe', name: 'joe', earlier: ['zoe'] }]);
  expect(window.model.current?.name).toBe('joe');
});

test('truncates a name that is too long for the server', async () => {
  const { samples, model } = openWindow(startServer([]));
  await samples.addToMemory(`jane if groups were [${'"🦊", '.repeat(60)}]`, '{}');
  expect(editor.messages).toEqual([]);
  expect(model.current?.name).toMatch(/^jane if groups were \["🦊", .*…$/u);
});

test('reports a saved sample that no pattern matches', async () => {
  const { samples, model, restart } = openWindow(startServer(['jane', 'joe']));
  await samples.choose({ id: 'file:///w/joe.claims.json', name: 'joe' });
  await samples.addToMemory('ada', '{}');
  editor.savesAt('/w/ada.json');
  await samples.save(model.current);
  expect(editor.messages.map(({ text }) => text)).toEqual([
    'AuthGraph: ada.json is not a sample: its name matches no pattern of the setting authgraph.samples.files. Rename it or add a pattern.',
  ]);
  // No other sample becomes current later.
  await restart(startServer(['jane', 'joe']));
  expect(model.current?.name).toBe('ada');
});
