/** The language server: its parts, and its reactions to changes. */
import { type Connection, Emitter, TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createClientUpdates } from './client-updates.ts';
import type { SkippedFile } from './closed-configurations.ts';
import { createCompileGuard, type StopReason } from './compile-guard.ts';
import { createConfigurations } from './configurations.ts';
import { createDoctorResults } from './doctor-results.ts';
import { initialState } from './editor-state.ts';
import { stopMessage } from './features/diagnostics.ts';
import { features } from './features/registry.ts';
import { skippedText } from './features/skipped-text.ts';
import { createFileCache } from './file-cache.ts';
import { createHandlerFactory } from './handlers.ts';
import type { ServerHost } from './host.ts';
import { createFileKinds, createInputFiles } from './input-files.ts';
import { serveIssuerRequests } from './issuer-requests.ts';
import { serveLifecycle } from './lifecycle.ts';
import { limits } from './limits.ts';
import {
  createProjectSettings,
  isSettingsFile,
  type ProjectSettings,
  watchedGlobs,
} from './project-settings.ts';
import { samplesChanged } from './protocol.ts';
import { createSampleClock } from './sample-clock.ts';
import { serveSamples } from './sample-requests.ts';
import { createSampleStore } from './samples.ts';
import { createSavedContents } from './saved-contents.ts';
import { inMessage } from './untrusted-text.ts';
import { createWorkspace } from './workspace.ts';

/** Serves until the connection ends. */
export const startServer = (connection: Connection, host: ServerHost): void => {
  const parts = createParts(connection, host);
  const { documents, state, cache, store, handlers, doctor: results, updates } = parts;
  parts.configurations.onClosedChanged(updates.pushClosed);
  const samples = followSamples(parts);
  const analyses = followAnalyses(parts);
  reportSkipped(parts);
  followDocuments(parts, { samples, analyses });
  serveLifecycle({ ...parts, host, reloadSamples: samples.reload });
  serveSamples({ connection, handlers, store, whenIdle: cache.whenIdle });
  serveIssuerRequests({ connection, handlers, issuers: host.issuers, state, results, updates });
  for (const feature of features) feature.register(connection, handlers);
  documents.listen(connection);
  connection.listen();
};

type ServerParts = ReturnType<typeof createParts>;

const createParts = (connection: Connection, host: ServerHost) => {
  const documents = new TextDocuments(TextDocument);
  const state = initialState();
  const samplesEdited = new Emitter<void>();
  const filesRead = new Emitter<void>();
  const sampleFoldersChanged = new Emitter<void>();
  const analysisEnded = new Emitter<AnalysisEnd>();
  const fileSkipped = new Emitter<SkippedFile>();
  const kinds = createFileKinds(state, (uri) => project.isInSampleFolder(uri));
  const cache = createFileCache({
    files: () => state.files,
    globs: () => watchedGlobs({ state, project }),
    isWanted: (uri) => kinds.isSample(uri) || kinds.isRole(uri) || isSettingsFile(uri),
    maxFiles: limits.sampleFiles + limits.roleFiles + limits.settingsFiles,
    maxBytes: Math.max(limits.sampleLength, limits.roleLength),
    maxWaitMs: limits.firstSearchTimeoutMs,
    onChange: () => filesRead.fire(),
  });
  const inputs = createInputFiles({ kinds, cache, documents });
  const store = createSampleStore(() => samplesEdited.fire());
  const saved = createSavedContents(state, documents);
  const doctor = createDoctorResults();
  const guard = createCompileGuard({
    analyze: host.analyze,
    onSettled: (uri, stopped) => analysisEnded.fire({ uri, stopped }),
  });
  const now = (): number => state.options.fixedClock ?? host.now();
  const project: ProjectSettings = createProjectSettings({ state, cache, documents, now });
  const { optionsOf } = project;
  const onSkipped = (skipped: SkippedFile): void => fileSkipped.fire(skipped);
  const configurations = createConfigurations({
    ...{ state, documents, kinds, optionsOf, guard, now, onSkipped },
  });
  const own = { inputs, cache, store, saved, doctor };
  const sources = { state, documents, configurations, project, now, ...own };
  const workspace = createWorkspace(sources);
  const handlers = createHandlerFactory(connection, workspace, state);
  const updates = createClientUpdates({ connection, state, documents, handlers });
  const events = { samplesEdited, filesRead, analysisEnded, sampleFoldersChanged, fileSkipped };
  return { ...sources, connection, kinds, handlers, updates, events };
};

interface AnalysisEnd {
  readonly uri: string;
  /** Absent if the analysis finished. */
  readonly stopped: StopReason | undefined;
}

/** Updates the samples and the client when a sample was edited or files were read. */
const followSamples = ({
  connection,
  events,
  store,
  inputs,
  cache,
  project,
  updates,
  state,
  configurations,
  now,
}: ServerParts) => {
  const clock = createSampleClock(
    () => (state.options.fixedClock === undefined ? now() : undefined),
    () => notifyChanged(),
  );
  const reload = (): void => store.setFiles(inputs.samples(), { isTruncated: cache.isTruncated });
  const notifyChanged = (): void => {
    updates.send(() => connection.sendNotification(samplesChanged));
    updates.refreshAll();
    configurations.updateClosed();
    clock.follow(store.set.all);
  };
  const reloadAndNotify = (): void => {
    reload();
    notifyChanged();
  };
  /** Reads the settings files again, which may name other sample folders. */
  const reloadSettings = (): void => {
    if (project.reload().hasNewSampleFolders) events.sampleFoldersChanged.fire();
    configurations.invalidateClosed();
    reloadAndNotify();
  };
  events.samplesEdited.event(notifyChanged);
  events.filesRead.event(reloadSettings);
  return { reload, notifyChanged, reloadAndNotify, reloadSettings };
};

/** Updates the client when an analysis ends, and logs once per document that it was stopped. */
const followAnalyses = ({
  connection,
  events,
  state,
  updates,
  documents,
  configurations,
}: ServerParts) => {
  /** Documents whose analysis was stopped and has not succeeded since. */
  const stoppedUris = new Set<string>();
  events.analysisEnded.event(({ uri, stopped }) => {
    if (stopped === undefined) stoppedUris.delete(uri);
    else if (!stoppedUris.has(uri)) {
      stoppedUris.add(uri);
      const text = `${JSON.stringify(uri)}: ${stopMessage(stopped, state.options)}`;
      updates.send(async () => connection.console.warn(text));
    }
    if (documents.get(uri) === undefined) {
      configurations.updateClosed();
      return;
    }
    updates.refreshViews();
    updates.pushDiagnostics(uri);
  });
  return { forget: (uri: string) => stoppedUris.delete(uri) };
};

/** Logs and shows once per limit that diagnostics of the workspace are missing because of it. */
const reportSkipped = ({ connection, events, updates }: ServerParts): void => {
  /** A file whose analysis was stopped has a diagnostic that says so. */
  const reported = new Set<SkippedFile['kind']>(['stopped']);
  events.fileSkipped.event((skipped) => {
    if (reported.has(skipped.kind)) return;
    reported.add(skipped.kind);
    updates.send(async () => {
      const text = `Diagnostics of the workspace are incomplete. ${skippedText(skipped)}`;
      connection.console.warn(text);
      await connection.window.showWarningMessage(inMessage(text));
    });
  });
};

const followDocuments = (
  { documents, kinds, cache, saved, configurations, doctor, updates }: ServerParts,
  {
    samples,
    analyses,
  }: {
    readonly samples: ReturnType<typeof followSamples>;
    readonly analyses: ReturnType<typeof followAnalyses>;
  },
): void => {
  const onContentChanged = (uri: string): void => {
    if (typeof uri !== 'string') return;
    if (isSettingsFile(uri)) samples.reloadSettings();
    else if (kinds.isSample(uri)) samples.reloadAndNotify();
    // Roles determine whom a sample may impersonate.
    else if (kinds.isRole(uri)) samples.notifyChanged();
  };
  documents.onDidOpen(({ document }) => {
    if (typeof document.uri !== 'string') return;
    saved.onOpen(document);
    configurations.open(document.uri);
  });
  // Configurations are compiled when a feature requests them.
  documents.onDidChangeContent(({ document: { uri } }) => {
    onContentChanged(uri);
    updates.pushDiagnostics(uri);
  });
  documents.onDidSave(({ document }) => {
    saved.onSave(document);
    cache.store(document.uri, document.getText());
    cache.reread([document.uri]);
  });
  documents.onDidClose(({ document: { uri } }) => {
    configurations.close(uri);
    doctor.forget(uri);
    analyses.forget(uri);
    saved.onClose(uri);
    onContentChanged(uri);
    updates.clearDiagnostics(uri);
  });
};
