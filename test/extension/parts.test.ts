/** Parts of the extension that need no editor. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isGraphMessage, readGraphAction } from '../../extension/src/messages/graph.ts';
import { emptyAsFields, readWhoamiAction } from '../../extension/src/messages/whoami.ts';
import {
  isCopy,
  mayConcernAuthGraph,
  mayHoldConfiguration,
} from '../../extension/src/recognize-document.ts';
import { actingRow, asParams } from '../../extension/src/whoami/as-params.ts';

describe('documents that start the language server', () => {
  test.each([
    ['apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n', true],
    ['{"kind": "AuthenticationConfiguration"}', true],
    ['kind: ClusterRole\nrules:\n- verbs: [impersonate]\n', true],
    ['apiServer:\n  extraArgs:\n    authentication-config: /etc/a.yaml\n', true],
    ['kind: Deployment\nmetadata: {name: web}\n', false],
    ['on: push\njobs: {}\n', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(mayConcernAuthGraph(text)).toBe(expected);
  });
  test('only some of them contain a configuration', () => {
    expect(mayHoldConfiguration('kind: AuthenticationConfiguration')).toBe(true);
    expect(mayHoldConfiguration('verbs: [impersonate]')).toBe(false);
  });
  test('copies such as the other side of a diff are excluded', () => {
    expect(['git', 'authgraph-result', 'file', 'untitled'].map(isCopy)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

test('a picture stops following a pointer whose button was released outside the page', async () => {
  // The types of the page need those of a browser.
  const zoom = new URL('../../extension/src/pages/graph-zoom.ts', import.meta.url).href;
  const { followPointer }: { followPointer(drawing: unknown): void } = await import(zoom);
  vi.stubGlobal('document', {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const drawing = Object.assign(new EventTarget(), {
    ...{ scrollLeft: 0, setPointerCapture: () => undefined },
    classList: { add: () => undefined, remove: () => undefined },
  });
  followPointer(drawing);
  const at = (kind: string, clientX: number, buttons: number): unknown =>
    drawing.dispatchEvent(
      Object.assign(new Event(kind), {
        ...{ pointerType: 'mouse', button: 0, pointerId: 1 },
        ...{ clientX, clientY: 0, buttons },
      }),
    );
  at('pointerdown', 0, 1);
  at('pointermove', -10, 1);
  at('pointermove', -20, 0);
  at('pointermove', -30, 1);
  expect(drawing.scrollLeft).toBe(10);
});

describe('the impersonation form', () => {
  test('requires a username', () => {
    expect(asParams({ ...emptyAsFields, groups: 'ops' })).toBeUndefined();
  });
  test('accepts comma-separated lists and repeated keys', () => {
    const fields = { username: ' joe ', uid: '', groups: 'dev, ops,', extra: 'a=1, b=x=y, a=2' };
    expect(asParams(fields)).toEqual({
      username: 'joe',
      groups: ['dev', 'ops'],
      extra: [
        { key: 'a', values: ['1', '2'] },
        { key: 'b', values: ['x=y'] },
      ],
    });
  });
  test('accepts the key __proto__', () => {
    const extra = asParams({ ...emptyAsFields, username: 'joe', extra: '__proto__=x' })?.extra;
    expect(extra).toEqual([{ key: '__proto__', values: ['x'] }]);
  });
});

describe('the comment about impersonation', () => {
  const row = {
    sample: { id: 'a', name: 'ada' },
    configuration: { index: 0 },
    verdict: 'accepted',
    headline: 'ada → ada · 1 group',
    sources: [],
    steps: [],
    whyNot: [],
    commandLine: '',
    namesFile: true,
    yaml: 'kind: SelfSubjectReview\n',
  } as const;
  test.each([
    [true, '# "ada" impersonates "joe\\n".\nkind: SelfSubjectReview\n'],
    [false, '# "ada" is not allowed to impersonate "joe\\n".\nkind: SelfSubjectReview\n'],
  ])('allowed: %s', (allowed, yaml) => {
    const asked = { ...row, acting: { allowed, questions: [] } };
    expect(actingRow(asked, { username: 'joe\n' }).yaml).toBe(yaml);
  });
  test('is absent without impersonation', () => {
    expect(actingRow(row, undefined)).toBe(row);
    expect(actingRow(row, { username: 'joe' })).toBe(row);
  });
});

describe('messages of pages', () => {
  test.each([
    [{ kind: 'ready' }, true],
    [{ kind: 'show', samples: ['a'] }, true],
    [{ kind: 'show', samples: [1] }, false],
    [{ kind: 'copy', number: 1, row: 0 }, true],
    [{ kind: 'copy', number: 1, row: -1 }, false],
    [{ kind: 'copy', row: 0 }, false],
    [{ kind: 'goToError', number: 1, index: 0 }, true],
    [{ kind: 'goToError', number: 1 }, false],
    [{ kind: 'goToStep', number: 1, row: 0, index: 2 }, true],
    [{ kind: 'goToStep', number: 1, row: 0, index: 0.5 }, false],
    [{ kind: 'goToStep', number: 1, row: 0, index: '0' }, false],
    [{ kind: 'as', as: emptyAsFields }, true],
    [{ kind: 'as', as: { username: 'joe' } }, false],
    [{ kind: 'run', command: 'workbench.action.quit' }, false],
    [Object.create({ kind: 'ready' }), false],
    ['ready', false],
    [null, false],
  ])('whoami %j: %s', (message, isKnown) => {
    expect(readWhoamiAction(message)).toEqual(isKnown ? message : undefined);
  });
  test.each([
    [{ kind: 'goTo', number: 1, picture: 0, node: 'jwt[0]' }, true],
    [{ kind: 'goTo', number: 1, picture: 0, node: 7 }, false],
    [{ kind: 'copy' }, true],
    [{ kind: 'png', bytes: new Uint8Array(3) }, true],
    [{ kind: 'png', bytes: [1, 2, 3] }, false],
    [{ kind: 'open', uri: 'file:///etc/passwd' }, false],
  ])('graph %j: %s', (message, isKnown) => {
    expect(readGraphAction(message)).toEqual(isKnown ? message : undefined);
  });
  test.each([
    [{ kind: 'drawPng', picture: 1 }, true],
    [{ kind: 'drawPng' }, false],
    [{ kind: 'drawPng', picture: -1 }, false],
  ])('to the graph page %j: %s', (message, isKnown) => {
    expect(isGraphMessage(message)).toBe(isKnown);
  });
});
