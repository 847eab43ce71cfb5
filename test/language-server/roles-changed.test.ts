/** Editing roles changes impersonation results, so the client is notified. */
import { expect, test } from 'vitest';
import { languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/roles.yaml`;
const role = (verb: string): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: acting }
rules:
- { apiGroups: [""], resources: [users], verbs: [${verb}] }
`;

test.each([
  [
    'is edited',
    'textDocument/didChange',
    { textDocument: { uri, version: 2 }, contentChanges: [{ text: role('impersonate') }] },
  ],
  ['is closed without being saved', 'textDocument/didClose', { textDocument: { uri } }],
])('notifies the client when a file with roles %s', async (_, method, params) => {
  const client = await languageClient({ files: new Map([[uri, role('get')]]) });
  await client.open(uri, role('list'));
  await client.connection.sendRequest('authgraph/samples', {});
  let notifications = 0;
  client.connection.onNotification('authgraph/samplesChanged', () => {
    notifications += 1;
  });
  await client.connection.sendNotification(method, params);
  await client.connection.sendRequest('authgraph/samples', {});
  expect(notifications).toBe(1);
  await client.close();
});
