/** The warning after a save that locks a sample out, and its undo. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { warnOfLockOut } from '../../extension/src/change/lock-out.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createResults } from '../../extension/src/results.ts';
import { editor, type FakeDocument } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const before = 'kind: AuthenticationConfiguration\njwt: []\n';
const after = 'kind: AuthenticationConfiguration\njwt: [{}]\n';

/** The server reports this loss for each change. */
const loss = 'jane can no longer log in';
const requests = createServerRequests({
  sendRequest: async <Answer>() => ({ rows: [], summary: '', loss }) as Answer,
});

const sampleRow = (name: string) => {
  const uri = `file:///w/${name}.claims.json`;
  return { id: uri, uri, name };
};

/** Opens a file whose saves are checked. */
const watched = (path: string, server = requests): FakeDocument => {
  const document = editor.open(path, before);
  const warning = warnOfLockOut({
    requests: server,
    model: { samples: [sampleRow('jane'), sampleRow('joan')] },
    view: { followSave: () => undefined, showSave: async () => undefined },
    results: createResults({ fire: () => undefined }),
  });
  onTestFinished(() => void warning.dispose());
  return document;
};

/** Saves a change that locks out; the warning is shown and answered later. */
const saveThatLocksOut = async (path: string): Promise<FakeDocument> => {
  const document = watched(path);
  editor.type(document, after);
  await document.save();
  return document;
};

beforeEach(() => editor.reset());

describe('undo', () => {
  test('restores the text before the save, and saves it', async () => {
    editor.answers('Undo');
    const document = await saveThatLocksOut('/w/a.yaml');
    await vi.waitFor(() => expect(document).toMatchObject({ text: before, isDirty: false }));
    expect(editor.messages[0]).toMatchObject({
      kind: 'warning',
      text: `AuthGraph: a.yaml: ${loss}.`,
    });
  });
  test('keeps later edits, and shows the change on request', async () => {
    const answer = Promise.withResolvers<string>();
    editor.answers(answer.promise, 'Show Change');
    const document = await saveThatLocksOut('/w/b.yaml');
    await vi.waitFor(() => expect(editor.messages).toHaveLength(1));
    editor.type(document, `${after}# an hour of work\n`);
    answer.resolve('Undo');
    await vi.waitFor(() => expect(editor.ran).toHaveLength(1));
    expect(document).toMatchObject({ text: `${after}# an hour of work\n`, isDirty: true });
    expect(editor.messages[1]?.text).toBe(
      'AuthGraph: b.yaml was edited after the save, so nothing was undone.',
    );
    const [command, shown, now] = editor.ran[0] ?? [];
    expect([command, String(shown), String(now)]).toEqual([
      'vscode.diff',
      'authgraph-result:/before%20the%20save/b.yaml',
      'file:///w/b.yaml',
    ]);
  });
});

describe('a rename, whose files VS Code saves one after another', () => {
  const oldSample = '{"role": "admin"}';
  const newSample = '{"part": "admin"}';
  /** Opens a configuration and two samples, and edits them together. */
  const rename = () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const requested: unknown[] = [];
    const server = createServerRequests({
      sendRequest: async <Answer>(...[, params]: readonly unknown[]) => {
        requested.push(params);
        return { rows: [], summary: '', ...(requested.length === 1 ? { loss } : {}) } as Answer;
      },
    });
    const configuration = watched('/w/a.yaml', server);
    const samples = ['jane', 'joan'].map((name) =>
      editor.open(`/w/${name}.claims.json`, oldSample),
    );
    editor.type(configuration, after);
    for (const sample of samples) editor.type(sample, newSample);
    return { configuration, samples, requested };
  };
  const earlier = ['jane', 'joan'].map((name) => ({
    uri: `file:///w/${name}.claims.json`,
    text: oldSample,
  }));

  test('is compared once, with the earlier samples, when all files are saved', async () => {
    const { configuration, samples, requested } = rename();
    for (const document of [configuration, ...samples]) {
      await document.save();
      expect(requested).toEqual([]);
      await vi.advanceTimersByTimeAsync(900);
    }
    expect(requested).toEqual([{ uri: 'file:///w/a.yaml', against: before, samples: earlier }]);
  });
  test('is undone as a whole', async () => {
    editor.answers('Undo');
    const { configuration, samples } = rename();
    for (const document of [configuration, ...samples]) await document.save();
    await vi.advanceTimersByTimeAsync(500);
    expect(configuration).toMatchObject({ text: before, isDirty: false });
    for (const sample of samples) expect(sample).toMatchObject({ text: oldSample, isDirty: false });
  });
  test('is compared with the edited samples if they are not saved at all', async () => {
    const { configuration, samples, requested } = rename();
    await configuration.save();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(requested).toEqual([{ uri: 'file:///w/a.yaml', against: before, samples: earlier }]);
    expect(samples.map(({ isDirty }) => isDirty)).toEqual([true, true]);
  });
  test('does not delay the warning because of an edit that was made earlier', async () => {
    const { configuration, samples, requested } = rename();
    for (const sample of samples) await sample.save();
    await vi.advanceTimersByTimeAsync(1000);
    const [jane] = samples;
    if (jane === undefined) throw new Error('there are two samples');
    editor.type(jane, '{"sub": "jane"}');
    await vi.advanceTimersByTimeAsync(1000);
    editor.type(configuration, `${after}# more\n`);
    await configuration.save();
    await vi.advanceTimersByTimeAsync(500);
    expect(requested).toHaveLength(1);
  });
});

describe('a save of a file that kube-apiserver does not load', () => {
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } };
  const failure = {
    configuration: { index: 0 },
    text: 'This configuration does not load (2 errors)',
    asIf: 'as if jwt[0] were removed',
    errorCount: 2,
    failedBefore: false,
    errors: [{ message: 'a prefix is required', place: { uri: 'file:///w/e.yaml', range } }],
  };
  /** The server reports the failure for the first change, and nothing for its undo. */
  const serverWith = (...reports: readonly object[]) => {
    const left = [...reports];
    return createServerRequests({
      sendRequest: async <Answer>() => ({ rows: [], summary: '', ...left.shift() }) as Answer,
    });
  };
  test('is reported with its first error, and can be undone', async () => {
    editor.answers('Undo');
    const document = watched('/w/e.yaml', serverWith({ loadFailures: [failure] }));
    editor.type(document, after);
    await document.save();
    await vi.waitFor(() => expect(document).toMatchObject({ text: before, isDirty: false }));
    expect(editor.messages).toMatchObject([
      {
        kind: 'warning',
        text: 'AuthGraph: e.yaml: kube-apiserver does not load this file (2 errors). Line 3: a prefix is required.',
      },
    ]);
  });
  test('is not reported again while the saved text did not load before either', async () => {
    const report = { loadFailures: [{ ...failure, failedBefore: true }] };
    const document = watched('/w/f.yaml', serverWith(report));
    editor.type(document, after);
    await document.save();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(editor.messages).toEqual([]);
  });
});

test('a save of several configurations reports the one that loaded before', async () => {
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } };
  const failureOf = (index: number, failedBefore: boolean) => ({
    configuration: { index, title: `map ${index} · a.yaml` },
    ...{ text: 'It does not load', asIf: '', errorCount: 1, failedBefore },
    errors: [{ message: `error ${index}`, place: { uri: 'file:///w/g.yaml', range } }],
  });
  const loadFailures = [failureOf(0, true), failureOf(1, false)];
  const server = createServerRequests({
    sendRequest: async <Answer>() => ({ rows: [], summary: '', loadFailures }) as Answer,
  });
  const document = watched('/w/g.yaml', server);
  editor.type(document, after);
  await document.save();
  await vi.waitFor(() => expect(editor.messages).toHaveLength(1));
  expect(editor.messages[0]?.text).toBe(
    'AuthGraph: g.yaml: kube-apiserver does not load map 1 · a.yaml (1 error). Line 3: error 1.',
  );
});

describe('the text before a save', () => {
  test('is not replaced if the save event is late', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const document = watched('/w/c.yaml');
    editor.type(document, after);
    const late = Promise.withResolvers<void>();
    editor.delaysSaveEvent(late.promise);
    const save = document.save();
    // The document counts as saved, and the last edit is half a second old.
    await vi.advanceTimersByTimeAsync(700);
    late.resolve();
    await save;
    await vi.waitFor(() => expect(editor.messages).toHaveLength(1));
  });
  test('is the text that another program wrote', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    editor.answers('Undo');
    const document = watched('/w/d.yaml');
    const written = `${before}# by another program\n`;
    editor.reload(document, written);
    await vi.advanceTimersByTimeAsync(1500);
    editor.type(document, after);
    await document.save();
    await vi.waitFor(() => expect(document).toMatchObject({ text: written, isDirty: false }));
  });
});
