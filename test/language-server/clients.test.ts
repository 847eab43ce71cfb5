/**
 * The server with the capabilities that other editors announce in `initialize`: recorded from those
 * that the heavy tests run, transcribed from the source of the others.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type {
  ClientCapabilities,
  CodeLens,
  CompletionList,
  Diagnostic,
  DocumentDiagnosticReport,
  Hover,
} from 'vscode-languageserver';
import { languageClient, workspaceUri } from '../support/language-client.ts';

interface RecordedClient {
  readonly editor: string;
  readonly source: string;
  readonly capabilities: ClientCapabilities;
}

const clients: readonly RecordedClient[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'clients.json'), 'utf8'),
);

const uri = `${workspaceUri}/auth.yaml`;
const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [app]
  claimMappings:
    username:
      expression: claims.sub
  claimValidationRules:
  - expression: clams.hd == 'x'
- 
`;
const sample = '{"iss":"https://issuer.example","aud":"app","sub":"jane"}';

const start = async ({ capabilities }: RecordedClient) => {
  const requests: string[] = [];
  const pushed: Diagnostic[][] = [];
  const methods = [
    'client/registerCapability',
    'workspace/configuration',
    ...['diagnostic', 'inlayHint', 'codeLens', 'semanticTokens', 'foldingRange'].map(
      (name) => `workspace/${name}/refresh`,
    ),
  ];
  const answers = new Map(
    methods.map((method) => [
      method,
      () => {
        requests.push(method);
        return method === 'workspace/configuration' ? [{}] : null;
      },
    ]),
  );
  const client = await languageClient({
    capabilities,
    answers,
    files: new Map([[`${workspaceUri}/jane.claims.json`, sample]]),
  });
  onTestFinished(() => client.close());
  client.connection.onNotification(
    'textDocument/publishDiagnostics',
    (params: { readonly diagnostics: Diagnostic[] }) => void pushed.push(params.diagnostics),
  );
  await client.open(uri, text);
  const at = (line: number, character: number) => ({
    textDocument: { uri },
    position: { line, character },
  });
  return { client, requests, pushed, at };
};

/** Which capability allows a request of the server. */
const allowedBy: Readonly<Record<string, (client: ClientCapabilities) => unknown>> = {
  'client/registerCapability': ({ workspace }) =>
    workspace?.didChangeWatchedFiles?.dynamicRegistration ??
    workspace?.didChangeConfiguration?.dynamicRegistration,
  'workspace/configuration': ({ workspace }) => workspace?.configuration,
  'workspace/diagnostic/refresh': ({ workspace }) => workspace?.diagnostics?.refreshSupport,
  'workspace/inlayHint/refresh': ({ workspace }) => workspace?.inlayHint?.refreshSupport,
  'workspace/codeLens/refresh': ({ workspace }) => workspace?.codeLens?.refreshSupport,
  'workspace/semanticTokens/refresh': ({ workspace }) => workspace?.semanticTokens?.refreshSupport,
};

describe.each(clients)('$editor', (recorded) => {
  const { capabilities } = recorded;
  test('gets diagnostics once, pulled or pushed', async () => {
    const { client, pushed } = await start(recorded);
    if (capabilities.textDocument?.diagnostic !== undefined) {
      const report = await client.connection.sendRequest<DocumentDiagnosticReport>(
        'textDocument/diagnostic',
        { textDocument: { uri } },
      );
      expect(report.kind === 'full' && report.items.map(({ code }) => code)).toContain('AG2001');
      expect(pushed.flat()).toEqual([]);
    } else {
      await vi.waitFor(() => expect(pushed.flat().map(({ code }) => code)).toContain('AG2001'));
    }
  });
  test('gets text in a format that it shows', async () => {
    const { client, at } = await start(recorded);
    const hover = await client.connection.sendRequest<Hover>('textDocument/hover', at(8, 27));
    expect(hover.contents).toMatchObject({ value: expect.stringContaining('jane') });
    const formats = capabilities.textDocument?.hover?.contentFormat ?? [];
    expect(formats).toContain(Object(hover.contents).kind);
    const list = await client.connection.sendRequest<CompletionList>(
      'textDocument/completion',
      at(11, 2),
    );
    const hasSnippets = list.items.some(({ insertTextFormat }) => insertTextFormat === 2);
    const { snippetSupport } = capabilities.textDocument?.completion?.completionItem ?? {};
    expect(hasSnippets).toBe(snippetSupport === true);
  });
  test('counts in UTF-16, and can run the commands of lenses', async () => {
    const { client } = await start(recorded);
    const { positionEncoding = 'utf-16', executeCommandProvider } = client.initialized.capabilities;
    expect(positionEncoding).toBe('utf-16');
    const lenses = await client.connection.sendRequest<readonly CodeLens[]>(
      'textDocument/codeLens',
      { textDocument: { uri } },
    );
    expect(lenses.length).toBeGreaterThan(0);
    for (const { command } of lenses)
      expect(executeCommandProvider?.commands).toContain(command?.command);
  });
  test('gets only requests that it announced', async () => {
    const { client, requests } = await start(recorded);
    await client.connection.sendRequest('authgraph/chooseSample', { name: 'jane' });
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: `${text}#` }],
    });
    await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 8, character: 27 },
    });
    await new Promise((done) => setTimeout(done, 700));
    for (const method of new Set(requests))
      expect([method, allowedBy[method]?.(capabilities)]).toEqual([method, true]);
  });
});
