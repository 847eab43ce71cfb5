/** The language server: capabilities, lifecycle, and the features at work. */
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
import { createCompileGuard, type StopReason } from './compile-guard.ts';
import { serveDoctor } from './doctor-request.ts';
import { documentDiagnostics, stopMessage } from './features/diagnostics.ts';
import { features } from './features/registry.ts';
import { noFiles, type WorkspaceFiles } from './files.ts';
import { foldersAt } from './folders.ts';
import { createAnswering } from './handlers.ts';
import type { ServerHost } from './host.ts';
import { serveIssuerKeys } from './issuer-keys-request.ts';
import { createKnownFiles } from './known-files.ts';
import { limits } from './limits.ts';
import { memberOf } from './member-of.ts';
import { createTelling } from './messages.ts';
import { type ClientOptions, samplesChanged } from './protocol.ts';
import { createPushing } from './push-diagnostics.ts';
import { createRefreshing } from './refresh.ts';
import { serveSamples } from './sample-requests.ts';
import { createSampleStore } from './samples.ts';
import { createSavedTexts } from './saved-texts.ts';
import { createSettingsSource } from './settings-source.ts';
import { createWorkspace } from './workspace.ts';
import { createWorkspaceTexts } from './workspace-texts.ts';

/** Of a saved document: its longest text, each unit of up to three bytes. */
const mostSavedBytes = 3 * limits.documentLength;

/** Serves until the connection ends. */
export const startServer = (connection: Connection, host: ServerHost): void => {
  const documents = new TextDocuments(TextDocument);
  let client: ClientCapabilities = {};
  let folders = foldersAt([]);
  let files: WorkspaceFiles = noFiles;
  let filesOfClient = false;
  let trusted = true;

  const store = createSampleStore();
  const savedTexts = createSavedTexts({
    document: (uri) => documents.get(uri),
    isInFolders: (uri) => folders.pathOf(uri) !== undefined,
    file: async (uri) => {
      const file = await files.read(uri, mostSavedBytes);
      return typeof file === 'object' ? file.text : undefined;
    },
  });
  const workspace = createWorkspace({
    document: (uri) => documents.get(uri),
    openUris: () => documents.keys(),
    now: host.now,
    samples: () => store.set,
    chooseSample: (choice) => {
      if (store.choose(choice)) samplesAreOthers();
    },
    isExpected: (uri) => texts.isConfiguration(uri),
    roles: () => texts.roles(),
    folders: () => folders,
    saved: (uri) => savedTexts.read(uri),
    files: () => files,
    searched: () => known.searched(),
    complete: () => known.complete(),
    isUnread: () => known.isUnread,
    guard: createCompileGuard({ analyze: host.analyze, settled: (uri, why) => analyzed(uri, why) }),
  });
  const known = createKnownFiles({
    files: () => files,
    globs: () => [...workspace.options.sampleFiles, ...workspace.options.roleFiles],
    wanted: (uri) => texts.isSample(uri) || texts.isRole(uri),
    mostFiles: limits.sampleFiles + limits.roleFiles,
    mostBytes: Math.max(limits.sampleLength, limits.roleLength),
    mostWaitMs: limits.firstSearchMs,
    changed: () => textsChanged(),
  });
  const texts = createWorkspaceTexts({
    folders: () => folders,
    options: () => workspace.options,
    known: () => known.all,
    open: () => documents.all(),
  });
  const telling = createTelling();
  const answering = createAnswering(connection, workspace, () => telling.isOver);
  const refreshing = createRefreshing(connection, telling, () => client);
  const pushing = createPushing({
    connection,
    telling,
    client: () => client,
    document: (uri) => documents.get(uri),
    isWaiting: (uri) => workspace.isWaiting(uri),
    diagnosticsOf: (uri) =>
      answering.guarded(() => documentDiagnostics(workspace, uri), [])(undefined, notCancelled),
  });

  const samplesAreOthers = (): void => {
    telling.tell(() => connection.sendNotification(samplesChanged));
    refresh();
  };
  /** Files whose stop was logged and that have not passed since. */
  const stoppedUris = new Set<string>();
  const analyzed = (uri: string, stopped: StopReason | undefined): void => {
    if (stopped === undefined) stoppedUris.delete(uri);
    else if (!stoppedUris.has(uri)) {
      stoppedUris.add(uri);
      const text = `${JSON.stringify(uri)}: ${stopMessage(stopped, workspace.options)}`;
      telling.tell(async () => connection.console.warn(text));
    }
    refreshing.soon();
    if (documents.get(uri) !== undefined) pushing.soon(uri);
  };
  const renewSamples = (): void => store.setFiles(texts.samples(), { isCut: known.isCut });
  const textsChanged = (): void => {
    renewSamples();
    samplesAreOthers();
  };
  const refresh = (): void => {
    refreshing.soon();
    for (const uri of documents.keys()) pushing.soon(uri);
  };
  const openFolders = (uris: readonly string[]): void => {
    folders = foldersAt(uris);
    files = filesOfClient ? clientFiles(connection) : host.files(folders.uris);
    known.search();
  };

  let watching: Promise<Disposable | undefined> | undefined;
  /** The globs may be others than before. */
  const watch = (): void => {
    if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const { sampleFiles, roleFiles } = workspace.options;
    const watchers = [...sampleFiles, ...roleFiles].map((globPattern) => ({ globPattern }));
    watching?.then((old) => old?.dispose()).catch(() => undefined);
    watching = connection.client
      .register(DidChangeWatchedFilesNotification.type, { watchers })
      .catch(() => undefined);
  };

  let isReady = false;
  const settings = createSettingsSource(connection, (options) => {
    workspace.setOptions(options);
    renewSamples();
    if (isReady) {
      watch();
      known.search();
      settle();
    }
    refresh();
  });
  const settle = (): void => {
    for (const feature of features) {
      feature.settle?.(connection, { client, options: workspace.options });
    }
  };

  connection.onInitialize((params) => {
    client = params.capabilities;
    filesOfClient = memberOf(params.initializationOptions, 'files') === 'client';
    const told: ClientOptions =
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
          typeof capabilities === 'function' ? capabilities(client, told) : capabilities,
        ),
      ) as ServerCapabilities,
    };
  });
  connection.onInitialized(() => {
    isReady = true;
    settings.start(client);
    settle();
    watch();
    openFolders(folders.uris);
    if (client.workspace?.workspaceFolders === true) {
      connection.workspace.onDidChangeWorkspaceFolders((event: unknown) => {
        const gone = new Set(urisIn(event, 'removed'));
        const left = folders.uris.filter((uri) => !gone.has(uri));
        openFolders([...left, ...urisIn(event, 'added')]);
      });
    }
  });
  connection.onShutdown(() => telling.stop());
  connection.onDidChangeWatchedFiles((params: unknown) => {
    known.reread(urisIn(params, 'changes'));
  });

  const documentChanged = (uri: string): void => {
    if (typeof uri !== 'string') return;
    if (texts.isSample(uri)) textsChanged();
    // Who may act as somebody is part of what is said of a sample.
    else if (texts.isRole(uri)) samplesAreOthers();
  };
  documents.onDidOpen(({ document }) => {
    if (typeof document.uri === 'string') savedTexts.opened(document);
  });
  documents.onDidChangeContent(({ document }) => {
    documentChanged(document.uri);
    pushing.soon(document.uri);
  });
  documents.onDidSave(({ document }) => {
    savedTexts.saved(document);
    known.reread([document.uri]);
  });
  documents.onDidClose(({ document }) => {
    workspace.close(document.uri);
    stoppedUris.delete(document.uri);
    savedTexts.close(document.uri);
    documentChanged(document.uri);
    pushing.clear(document.uri);
  });

  serveSamples({
    connection,
    answering,
    store,
    settled: known.settled,
    changed: samplesAreOthers,
  });
  const network = { connection, answering, issuers: host.issuers, trusted: () => trusted };
  serveDoctor(network);
  serveIssuerKeys(network);
  for (const feature of features) feature.register(connection, answering);
  documents.listen(connection);
  connection.listen();
};

const foldersOf = (params: InitializeParams): readonly string[] => {
  const folders = urisIn(params, 'workspaceFolders');
  if (folders.length > 0) return folders;
  return typeof params.rootUri === 'string' ? [params.rootUri] : [];
};

/** Of a list of things with a URI, in something that a client sent. */
const urisIn = (params: unknown, member: string): readonly string[] => {
  const list = memberOf(params, member);
  if (!Array.isArray(list)) return [];
  return list.map((item) => memberOf(item, 'uri')).filter((uri) => typeof uri === 'string');
};

const notCancelled = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose() {} }),
};
