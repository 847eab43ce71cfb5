/** A client of the language server in this process: the real protocol over two streams. */
import { matchesGlob } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  createConnection,
  createProtocolConnection,
  type InitializeResult,
  ProposedFeatures,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { WorkspaceFiles } from '../../language-server/src/files.ts';
import type { ServerHost } from '../../language-server/src/host.ts';
import { startServer } from '../../language-server/src/server.ts';

export interface LanguageClient {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  /** Log messages of the server, including errors in handlers. */
  readonly log: readonly string[];
  open(uri: string, text: string, languageId?: string): Promise<void>;
  close(): Promise<void>;
}

export interface LanguageClientOptions {
  readonly settings?: object;
  /** URIs of the workspace folders; one folder by default. */
  readonly folders?: readonly string[];
  /** Text by URI. */
  readonly files?: ReadonlyMap<string, string>;
  /** Milliseconds since 1970. */
  readonly now?: number;
  readonly capabilities?: object;
  readonly initializationOptions?: object;
  readonly issuers?: NonNullable<ServerHost['issuers']>;
  /** What the client answers to requests of the server, by method. */
  readonly answers?: ReadonlyMap<string, (params: unknown) => unknown>;
}

export const workspaceUri = 'file:///workspace';

/** Starts a server in this process and returns the client's side of its connection. */
export const connectionTo = (host: ServerHost): ProtocolConnection => {
  const up = new PassThrough();
  const down = new PassThrough();
  startServer(
    createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(up),
      new StreamMessageWriter(down),
    ),
    host,
  );
  return createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
};

export const languageClient = async (
  options: LanguageClientOptions = {},
): Promise<LanguageClient> => {
  const connection = connectionTo({
    files: (folders) => filesIn(options.files ?? new Map(), folders),
    now: () => options.now ?? Date.parse('2026-01-01T00:00:00Z'),
    ...(options.issuers === undefined ? {} : { issuers: options.issuers }),
  });
  const log: string[] = [];
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    log.push(message);
  });
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly object[] }) =>
    items.map(() => options.settings ?? {}),
  );
  for (const method of refreshes) connection.onRequest(method, () => null);
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('client/unregisterCapability', () => null);
  for (const [method, answer] of options.answers ?? []) connection.onRequest(method, answer);
  connection.listen();
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    processId: null,
    rootUri: workspaceUri,
    workspaceFolders: (options.folders ?? [workspaceUri]).map((uri) => ({
      uri,
      name: 'workspace',
    })),
    capabilities: options.capabilities ?? everyCapability,
    initializationOptions: options.initializationOptions,
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { authgraph: options.settings ?? {} },
  });
  return {
    connection,
    initialized,
    log,
    open: (uri, text, languageId = 'yaml') =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version: 1, text },
      }),
    async close() {
      await connection.sendRequest('shutdown');
      connection.dispose();
    },
  };
};

const refreshes = ['diagnostic', 'inlayHint', 'codeLens', 'semanticTokens', 'foldingRange'].map(
  (name) => `workspace/${name}/refresh`,
);

const everyCapability = {
  workspace: {
    configuration: true,
    workspaceFolders: true,
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    diagnostics: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    diagnostic: { dynamicRegistration: false, relatedDocumentSupport: true },
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
    completion: {
      completionItem: { snippetSupport: true, documentationFormat: ['markdown'] },
      contextSupport: true,
    },
    hover: { contentFormat: ['markdown'] },
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['quickfix', 'refactor', 'source', 'source.fixAll'] },
      },
    },
    foldingRange: { lineFoldingOnly: true },
    rename: { prepareSupport: true },
    semanticTokens: {
      requests: { full: true, range: true },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ['relative'],
    },
  },
};

const filesIn = (
  texts: ReadonlyMap<string, string>,
  folders: readonly string[],
): WorkspaceFiles => ({
  find: (globs) =>
    Promise.resolve({
      uris: [...texts.keys()]
        .filter((uri) =>
          folders
            .filter((folder) => uri.startsWith(`${folder}/`))
            .some((folder) =>
              globs.some((glob) => matchesGlob(uri.slice(folder.length + 1), glob)),
            ),
        )
        .sort(),
      isTruncated: false,
    }),
  read: (uri, mostBytes) => {
    const text = texts.get(uri);
    if (text === undefined) return Promise.resolve(undefined);
    return Promise.resolve(text.length > mostBytes ? 'too long' : { uri, text });
  },
});
