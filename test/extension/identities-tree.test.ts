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
      if (method !== verdictsRequest) return Promise.resolve({ samples: [jane], chosen: jane.id });
      requested.push({ method, token });
      return answers[requested.length - 1]?.promise;
    },
  } as Parameters<typeof createServerRequests>[0]);
  const model = createModel(requests);
  await model.readSamples();
  const tree = createIdentitiesTree(model, requests);
  const first = tree.getChildren();
  const second = tree.getChildren();
  expect(requested.map(({ token }) => token?.isCancellationRequested)).toEqual([true, false]);
  answers[1]?.resolve(verdict('new'));
  await second;
  answers[0]?.reject(new Error('canceled'));
  await first;
  expect(tree.getTreeItem(jane).description).toContain('→ new:jane');
  model.dispose();
});
