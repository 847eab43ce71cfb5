/**
 * Code lenses after the editor lost the focus: VS Code cancels the request that it scheduled, and
 * the extension requests the lenses again.
 */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLensRefresh } from '../../extension/src/lens-refresh.ts';
import { EventEmitter, editor, type FakeDocument } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const configuration = 'kind: AuthenticationConfiguration\n';
const vsCodeDelayMs = 250;

/** Schedules and cancels requests for lenses as VS Code's editor does. */
const openEditor = (answer: () => Promise<string>) => {
  const refresh = createLensRefresh();
  const document = editor.open('/w/auth.yaml', configuration);
  const emitter = new EventEmitter<void>();
  const shown: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requests = 0;
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      requests += 1;
      const token = { isCancellationRequested: false };
      const next = async () => [{ title: await answer() }];
      const lenses = await Reflect.apply(refresh.provideCodeLenses, undefined, [
        document,
        token,
        next,
      ]);
      shown.push(JSON.stringify(lenses));
    }, vsCodeDelayMs);
  };
  emitter.event(schedule);
  const provider = { onDidChangeCodeLensEmitter: emitter };
  const getFeature: unknown = () => ({ getProvider: () => provider });
  editor.shows(document);
  const subscription = Reflect.apply(refresh.follow, undefined, [{ getFeature }]);
  onTestFinished(() => void subscription.dispose());
  return {
    document,
    shown,
    requests: () => requests,
    /** The language server requests a refresh. */
    serverRefreshes: () => emitter.fire(),
    edit: (target: FakeDocument, text: string) => {
      editor.type(target, text);
      schedule();
    },
    losesFocus: () => clearTimeout(timer),
  };
};

beforeEach(() => {
  editor.reset();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test.each(['an edit', 'another sample'] as const)(
  'requests the lenses after %s although the editor lost the focus',
  async (what) => {
    let verdict = '✓ ada';
    const view = openEditor(async () => verdict);
    await vi.advanceTimersByTimeAsync(1000);
    expect(view.shown.at(-1)).toContain('✓ ada');
    verdict = '✗ ada';
    if (what === 'an edit') view.edit(view.document, `${configuration}jwt: []\n`);
    else view.serverRefreshes();
    await vi.advanceTimersByTimeAsync(vsCodeDelayMs - 1);
    view.losesFocus();
    await vi.advanceTimersByTimeAsync(2000);
    expect(view.shown.at(-1)).toContain('✗ ada');
  },
);

test('requests the lenses again if the focus is lost repeatedly', async () => {
  const view = openEditor(async () => '✓ ada');
  for (let time = 0; time < 3; time += 1) {
    await vi.advanceTimersByTimeAsync(200);
    view.losesFocus();
  }
  await vi.advanceTimersByTimeAsync(3000);
  expect(view.shown).toHaveLength(1);
});

test('repeats nothing while lenses are current or being computed', async () => {
  const slow = Promise.withResolvers<string>();
  const view = openEditor(() => slow.promise);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(view.requests()).toBe(1);
  slow.resolve('✓ ada');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(view.requests()).toBe(1);
});

test('stops if VS Code shows no lenses', async () => {
  const view = openEditor(async () => '');
  for (let step = 0; step < 300; step += 1) {
    view.losesFocus();
    await vi.advanceTimersByTimeAsync(200);
  }
  view.losesFocus();
  expect(view.requests()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
