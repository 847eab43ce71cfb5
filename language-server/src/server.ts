/** The language server: capabilities, lifecycle, and features. */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeWatchedFilesNotification,
  type Disposable,
  type InitializeParams,
  type ServerCapabilities,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { clientFiles } from './client-files.ts';
import { createClientMessages } from './client-messages.ts';
import { createCompileGuard, type StopReason } from './compile-guard.ts';
import { serveDoctor } from './doctor-request.ts';
import { documentDiagnostics, stopMessage } from './features/diagnostics.ts';
import { features } from './features/registry.ts';
import { createFileCache } from './file-cache.ts';
import { noFiles, type WorkspaceFiles } from './files.ts';
import { foldersAt } from './folders.ts';
import { createHandlerFactory } from './handlers.ts';
import type { ServerHost } from './host.ts';
import { createInputFiles } from './input-files.ts';
import { serveIssuerKeys } from './issuer-keys-request.ts';
import { limits } from './limits.ts';
import { memberOf } from './member-of.ts';
import { type ClientOptions, samplesChanged } from './protocol.ts';
import { createDiagnosticsPublisher } from './push-diagnostics.ts';
import { createViewRefresher } from './refresh.ts';
import { serveSamples } from './sample-requests.ts';
import { createSampleStore } from './samples.ts';
import { createSavedContents } from './saved-contents.ts';
import { createSettingsSource } from './settings-source.ts';
import { createWorkspace } from './workspace.ts';

/** Bytes of a saved document: the longest text at three bytes per UTF-16 code unit. */
const maxSavedBytes = 3 * limits.documentLength;

/** Serves until the connection ends. */
export const startServer = (connection: Connection, host: ServerHost): void => {
  const documents = new TextDocuments(TextDocument);
  let client: ClientCapabilities = {};
  let folders = foldersAt([]);
  let files: WorkspaceFiles = noFiles;
  let clientProvidesFiles = false;
  let trusted = true;

  const store = createSampleStore();
  const savedContents = createSavedContents({
    document: (uri) => documents.get(uri),
    isInFolders: (uri) => folders.pathOf(uri) !== undefined,
    file: async (uri) => {
      const file = await files.read(uri, maxSavedBytes);
      return typeof file === 'object' ? file.text : undefined;
    },
  });
  const workspace = createWorkspace({
    document: (uri) => documents.get(uri),
    openUris: () => documents.keys(),
    now: host.now,
    samples: () => store.set,
    chooseSample: (choice) => {
      if (store.choose(choice)) notifySamplesChanged();
    },
    isExpected: (uri) => inputFiles.isConfiguration(uri),
    roles: () => inputFiles.roles(),
    folders: () => folders,
    savedText: (uri) => savedContents.read(uri),
    files: () => files,
    whenSearched: () => fileCache.whenSearched(),
    waitForSearch: () => fileCache.waitForSearch(),
    isSearchPending: () => fileCache.isSearchPending,
    guard: createCompileGuard({
      analyze: host.analyze,
      onSettled: (uri, why) => onAnalyzed(uri, why),
    }),
  });
  const fileCache = createFileCache({
    files: () => files,
    globs: () => [...workspace.options.sampleFiles, ...workspace.options.roleFiles],
    isWanted: (uri) => inputFiles.isSample(uri) || inputFiles.isRole(uri),
    maxFiles: limits.sampleFiles + limits.roleFiles,
    maxBytes: Math.max(limits.sampleLength, limits.roleLength),
    maxWaitMs: limits.firstSearchTimeoutMs,
    onChange: () => reloadSamplesAndNotify(),
  });
  const inputFiles = createInputFiles({
    folders: () => folders,
    options: () => workspace.options,
    cached: () => fileCache.all,
    open: () => documents.all(),
  });
  const clientMessages = createClientMessages();
  const handlers = createHandlerFactory(connection, workspace, () => clientMessages.isStopped);
  const viewRefresher = createViewRefresher(connection, clientMessages, () => client);
  const publisher = createDiagnosticsPublisher({
    connection,
    clientMessages,
    client: () => client,
    document: (uri) => documents.get(uri),
    isAnalyzing: (uri) => workspace.isAnalyzing(uri),
    diagnosticsOf: (uri) =>
      handlers.guarded(() => documentDiagnostics(workspace, uri), [])(undefined, neverCanceled),
  });

  const notifySamplesChanged = (): void => {
    clientMessages.send(() => connection.sendNotification(samplesChanged));
    refreshAll();
  };
  /** Documents whose analysis stopped, which is logged once until it succeeds again. */
  const stoppedUris = new Set<string>();
  const onAnalyzed = (uri: string, stopped: StopReason | undefined): void => {
    if (stopped === undefined) stoppedUris.delete(uri);
    else if (!stoppedUris.has(uri)) {
      stoppedUris.add(uri);
      const text = `${JSON.stringify(uri)}: ${stopMessage(stopped, workspace.options)}`;
      clientMessages.send(async () => connection.console.warn(text));
    }
    viewRefresher.schedule();
    if (documents.get(uri) !== undefined) publisher.schedule(uri);
  };
  const reloadSamples = (): void =>
    store.setFiles(inputFiles.samples(), { isTruncated: fileCache.isTruncated });
  const reloadSamplesAndNotify = (): void => {
    reloadSamples();
    notifySamplesChanged();
  };
  const refreshAll = (): void => {
    viewRefresher.schedule();
    for (const uri of documents.keys()) publisher.schedule(uri);
  };
  const openFolders = (uris: readonly string[]): void => {
    folders = foldersAt(uris);
    files = clientProvidesFiles ? clientFiles(connection) : host.files(folders.uris);
    fileCache.search();
  };

  let watchRegistration: Promise<Disposable | undefined> | undefined;
  /** Registers file watchers for the current globs. */
  const registerWatchers = (): void => {
    if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const { sampleFiles, roleFiles } = workspace.options;
    const watchers = [...sampleFiles, ...roleFiles].map((globPattern) => ({ globPattern }));
    watchRegistration?.then((old) => old?.dispose()).catch(() => undefined);
    watchRegistration = connection.client
      .register(DidChangeWatchedFilesNotification.type, { watchers })
      .catch(() => undefined);
  };

  let isReady = false;
  const settings = createSettingsSource(connection, (options) => {
    workspace.setOptions(options);
    reloadSamples();
    if (isReady) {
      registerWatchers();
      fileCache.search();
      configureFeatures();
    }
    refreshAll();
  });
  const configureFeatures = (): void => {
    for (const feature of features) {
      feature.configure?.(connection, { client, options: workspace.options });
    }
  };

  connection.onInitialize((params) => {
    client = params.capabilities;
    clientProvidesFiles = memberOf(params.initializationOptions, 'files') === 'client';
    const clientOptions: ClientOptions =
      memberOf(params.initializationOptions, 'commands') === 'client' ? { commands: 'client' } : {};
    trusted = memberOf(params.initializationOptions, 'trusted') !== false;
    folders = foldersAt(foldersOf(params));
    return {
      serverInfo: { name: 'authgraph' },
      capabilities: Object.assign(
        {
          textDocumentSync: {
            openClose: true,
            change: TextDocumentSyncKind.Incremental,
            save: { includeText: false },
          },
          positionEncoding: 'utf-16',
          workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        },
        ...features.map(({ capabilities }) =>
          typeof capabilities === 'function' ? capabilities(client, clientOptions) : capabilities,
        ),
      ) as ServerCapabilities,
    };
  });
  connection.onInitialized(() => {
    isReady = true;
    settings.start(client);
    configureFeatures();
    registerWatchers();
    openFolders(folders.uris);
    if (client.workspace?.workspaceFolders === true) {
      connection.workspace.onDidChangeWorkspaceFolders((event: unknown) => {
        const removed = new Set(urisIn(event, 'removed'));
        const remaining = folders.uris.filter((uri) => !removed.has(uri));
        openFolders([...remaining, ...urisIn(event, 'added')]);
      });
    }
  });
  connection.onShutdown(() => clientMessages.stop());
  connection.onDidChangeWatchedFiles((params: unknown) => {
    fileCache.reread(urisIn(params, 'changes'));
  });

  const documentChanged = (uri: string): void => {
    if (typeof uri !== 'string') return;
    if (inputFiles.isSample(uri)) reloadSamplesAndNotify();
    // Roles determine whom a sample may impersonate.
    else if (inputFiles.isRole(uri)) notifySamplesChanged();
  };
  documents.onDidOpen(({ document }) => {
    if (typeof document.uri === 'string') savedContents.onOpen(document);
  });
  documents.onDidChangeContent(({ document }) => {
    documentChanged(document.uri);
    publisher.schedule(document.uri);
  });
  documents.onDidSave(({ document }) => {
    savedContents.onSave(document);
    fileCache.reread([document.uri]);
  });
  documents.onDidClose(({ document }) => {
    workspace.close(document.uri);
    stoppedUris.delete(document.uri);
    savedContents.onClose(document.uri);
    documentChanged(document.uri);
    publisher.clear(document.uri);
  });

  serveSamples({
    connection,
    handlers,
    store,
    whenIdle: fileCache.whenIdle,
    onChange: notifySamplesChanged,
  });
  const issuerRequests = { connection, handlers, issuers: host.issuers, trusted: () => trusted };
  serveDoctor(issuerRequests);
  serveIssuerKeys(issuerRequests);
  for (const feature of features) feature.register(connection, handlers);
  documents.listen(connection);
  connection.listen();
};

const foldersOf = (params: InitializeParams): readonly string[] => {
  const folders = urisIn(params, 'workspaceFolders');
  if (folders.length > 0) return folders;
  return typeof params.rootUri === 'string' ? [params.rootUri] : [];
};

/** Returns the URIs in a list of objects from a client. */
const urisIn = (params: unknown, member: string): readonly string[] => {
  const list = memberOf(params, member);
  if (!Array.isArray(list)) return [];
  return list.map((item) => memberOf(item, 'uri')).filter((uri) => typeof uri === 'string');
};

const neverCanceled = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose() {} }),
};
