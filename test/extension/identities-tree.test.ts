/** The Identities tree requests verdicts only, and cancels outdated requests. */
import {
  type SampleRow,
  type VerdictRow,
  type VerdictsReport,
  verdictsRequest,
} from '@authgraph/language-server/protocol';
import { expect, test, vi } from 'vitest';
import type { CancellationToken } from 'vscode';
import { createIdentitiesTree } from '../../extension/src/identities/identities-tree.ts';
import { createModel } from '../../extension/src/model.ts';
import { createServerRequests } from '../../extension/src/requests.ts';
import { editor } from './fake-vscode.ts';

vi.mock('vscode', async () => {
  const { CancellationTokenSource } = await import('vscode-languageserver');
  return { ...(await import('./fake-vscode.ts')), CancellationTokenSource };
});

const jane: SampleRow = { id: 'file:///w/jane.claims.json', name: 'jane' };
const verdict = (prefix: string): VerdictsReport => {
  const row: VerdictRow = {
    sample: jane,
    configuration: { index: 0 },
    verdict: 'accepted',
    headline: `jane → ${prefix}:jane`,
  };
  return { rows: [row] };
};

test('shows the result of the later of two requests', async () => {
  editor.open('/w/auth.yaml', 'kind: AuthenticationConfiguration\n');
  const requested: { readonly method: string; readonly token: CancellationToken | undefined }[] =
    [];
  const answers = [
    Promise.withResolvers<VerdictsReport>(),
    Promise.withResolvers<VerdictsReport>(),
  ];
  const requests = createServerRequests({
    sendRequest: (method: string, _: unknown, token?: CancellationToken) => {
      if (method !== verdictsRequest) return Promise.resolve({ samples: [jane], current: jane.id });
      requested.push({ method, token });
      return answers[requested.length - 1]?.promise;
    },
  } as Parameters<typeof createServerRequests>[0]);
  const model = createModel(requests);
  await model.readSamples();
  const view = { message: '' };
  const tree = createIdentitiesTree(model, requests, view);
  const first = tree.getChildren();
  const second = tree.getChildren();
  expect(requested.map(({ token }) => token?.isCancellationRequested)).toEqual([true, false]);
  answers[1]?.resolve(verdict('new'));
  await second;
  answers[0]?.reject(new Error('canceled'));
  await first;
  expect(tree.getTreeItem(jane).description).toContain('→ new:jane');
  expect(view.message).toBe('');
  model.dispose();
});

test.each([
  ['accepted', 'pass-filled'],
  ['acceptedWithNote', 'warning'],
  ['rejected', 'error'],
  ['noOpinion', 'circle-slash'],
  ['undecided', 'question'],
] as const)(
  'shows the icon of the verdict %s, and that the file does not load',
  async (kind, id) => {
    editor.open('/w/auth.yaml', 'kind: AuthenticationConfiguration\n');
    const [row] = verdict('a').rows;
    const failure = { configuration: { index: 0 }, text: 'This $(bug) does not load', asIf: '' };
    const answer = {
      rows: row === undefined ? [] : [{ ...row, verdict: kind }],
      loadFailures: [{ ...failure, errors: [] }],
    };
    const requests = createServerRequests({
      sendRequest: async (method: string) =>
        method === verdictsRequest ? answer : { samples: [jane], current: jane.id },
    } as Parameters<typeof createServerRequests>[0]);
    const model = createModel(requests);
    await model.readSamples();
    const view = { message: '' };
    const tree = createIdentitiesTree(model, requests, view);
    await tree.getChildren();
    expect(tree.getTreeItem(jane).iconPath).toMatchObject({ id });
    expect(view.message).toBe('⚠ This $ (bug) does not load');
    model.dispose();
  },
);
