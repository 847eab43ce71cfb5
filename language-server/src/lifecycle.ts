/** The lifecycle of the server: capabilities, settings, workspace folders, watched files. */
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  type Disposable,
  type Event,
  type InitializeParams,
  type InitializeResult,
  type ServerCapabilities,
  TextDocumentSyncKind,
  WatchKind,
} from 'vscode-languageserver';
import type { ClientUpdates } from './client-updates.ts';
import { configurationGlobs } from './closed-configurations.ts';
import type { Configurations } from './configurations.ts';
import type { EditorOptions } from './editor-options.ts';
import type { EditorState } from './editor-state.ts';
import { features } from './features/registry.ts';
import type { FileCache } from './file-cache.ts';
import { clientFiles, noFiles } from './files.ts';
import { foldersAt } from './folders.ts';
import type { ServerHost } from './host.ts';
import { memberOf } from './member-of.ts';
import { type ProjectSettings, watchedGlobs } from './project-settings.ts';
import type { ClientOptions } from './protocol.ts';
import { createSettingsSource } from './settings-source.ts';

export const serveLifecycle = (parts: {
  readonly connection: Connection;
  readonly host: ServerHost;
  readonly state: EditorState;
  readonly cache: FileCache;
  readonly updates: ClientUpdates;
  readonly project: ProjectSettings;
  readonly events: { readonly sampleFoldersChanged: { readonly event: Event<void> } };
  readonly reloadSamples: () => void;
  readonly configurations: Pick<Configurations, 'invalidateClosed' | 'changeFiles'>;
}): void => {
  const { connection, host, state, cache, updates, project, events, reloadSamples } = parts;
  const { configurations } = parts;
  const watchers = createWatchers(connection, state, project);
  let clientProvidesFiles = false;
  let isReady = false;

  const openFolders = (uris: readonly string[]): void => {
    state.folders = foldersAt(uris);
    const hostFiles = host.files?.(state.folders.uris) ?? noFiles;
    state.files = clientProvidesFiles ? clientFiles(connection) : hostFiles;
    cache.search();
    configurations.invalidateClosed();
  };
  const configureFeatures = (): void => {
    for (const feature of features) feature.configure?.(connection, state);
  };
  const applySettings = (options: EditorOptions): void => {
    state.options = options;
    reloadSamples();
    if (isReady) {
      watchers.register();
      cache.search();
      configureFeatures();
    }
    configurations.invalidateClosed();
    updates.refreshAll();
  };
  const settings = createSettingsSource(connection, applySettings);
  events.sampleFoldersChanged.event(() => {
    if (!isReady) return;
    watchers.register();
    cache.search();
  });

  connection.onInitialize((params) => {
    const { capabilities, initializationOptions } = params;
    state.client = capabilities;
    state.folders = foldersAt(foldersOf(params));
    state.isTrusted = memberOf(initializationOptions, 'trusted') !== false;
    clientProvidesFiles = memberOf(initializationOptions, 'files') === 'client';
    return initializeResult(state, initializationOptions);
  });
  connection.onInitialized(() => {
    isReady = true;
    settings.start(state.client);
    configureFeatures();
    watchers.register();
    openFolders(state.folders.uris);
    if (state.client.workspace?.workspaceFolders === true) {
      connection.workspace.onDidChangeWorkspaceFolders((event: unknown) => {
        const removed = new Set(urisIn(event, 'removed'));
        const remaining = state.folders.uris.filter((uri) => !removed.has(uri));
        openFolders([...remaining, ...urisIn(event, 'added')]);
      });
    }
  });
  connection.onShutdown(() => {
    state.isShutDown = true;
  });
  connection.onDidChangeWatchedFiles((params: unknown) => {
    const uris = urisIn(params, 'changes');
    cache.reread(uris);
    configurations.changeFiles(uris);
  });
};

const initializeResult = (
  { client }: EditorState,
  initializationOptions: unknown,
): InitializeResult => {
  const has = (name: keyof ClientOptions, value: string): boolean =>
    memberOf(initializationOptions, name) === value;
  const clientOptions: ClientOptions = {
    ...(has('commands', 'client') ? { commands: 'client' } : {}),
    ...(has('diagnosticsScope', 'openFiles') ? { diagnosticsScope: 'openFiles' } : {}),
  };
  const own: ServerCapabilities = {
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: { includeText: false },
    },
    positionEncoding: 'utf-16',
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
  const ofFeatures = features.map(({ capabilities }) =>
    typeof capabilities === 'function' ? capabilities(client, clientOptions) : capabilities,
  );
  return {
    serverInfo: { name: 'authgraph' },
    capabilities: Object.assign(own, ...ofFeatures),
  };
};

/** Watches configurations and the files that the settings name, if the client supports it. */
const createWatchers = (
  connection: Connection,
  state: EditorState,
  project: Pick<ProjectSettings, 'sampleGlobs'>,
) => {
  let registration: Promise<Disposable | undefined> | undefined;
  return {
    /** Replaces the watchers by those for the current settings. */
    register(): void {
      if (state.client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
      const globs = [
        ...watchedGlobs({ state, project }),
        ...configurationGlobs(state.options.configurationFiles),
      ];
      const watchers = [
        ...globs.map((globPattern) => ({ globPattern })),
        // A deleted folder is reported by itself, without its files.
        { globPattern: '**/*', kind: WatchKind.Delete },
      ];
      registration?.then((old) => old?.dispose()).catch(() => undefined);
      registration = connection.client
        .register(DidChangeWatchedFilesNotification.type, { watchers })
        .catch(() => undefined);
    },
  };
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
