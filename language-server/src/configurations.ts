/**
 * The configurations of the workspace: those of open documents, compiled once per version, those of
 * another version of a document's text, and those of files that are not open.
 */
import { Emitter, type Event, type TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type ClosedFile,
  type ClosedReadResult,
  configurationGlobs,
  createClosedConfigurations,
  type SkippedFile,
} from './closed-configurations.ts';
import type { CompileGuard, GuardedText, GuardState, StopReason } from './compile-guard.ts';
import { type CompiledText, type ConfigurationPart, compileParts } from './compile-parts.ts';
import type { EditorOptions } from './editor-options.ts';
import type { EditorState } from './editor-state.ts';
import type { FileKinds } from './input-files.ts';
import { limits } from './limits.ts';

/** Configurations of files that are not open, and whether any were skipped. */
export interface ClosedParts extends Pick<ClosedReadResult<unknown>, 'skipped'> {
  readonly parts: readonly ConfigurationPart[];
}

/** The configurations of a file that is not open. */
export interface ClosedDocument extends CompiledText, ClosedFile {
  readonly text: string;
}

export type Configurations = ReturnType<typeof createConfigurations>;

export interface ConfigurationSources {
  readonly state: EditorState;
  readonly documents: Pick<TextDocuments<TextDocument>, 'get' | 'keys'>;
  readonly kinds: FileKinds;
  /** Returns the options for a document. */
  readonly optionsOf: (uri: string) => EditorOptions;
  readonly guard: CompileGuard;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Called when files are missing in the documents for diagnostics of the workspace. */
  readonly onSkipped: (skipped: SkippedFile) => void;
}

export const createConfigurations = (sources: ConfigurationSources) => {
  const { state, documents, guard, optionsOf } = sources;
  const texts = createGuardedTexts(sources);
  const compiled = new Map<string, CompiledDocument>();
  /** The last other text of a document, the one that was requested last at the end. */
  const comparedTexts = new Map<string, ComparedText | undefined>();
  const keepCompared = (uri: string, compared: ComparedText | undefined): void => {
    comparedTexts.delete(uri);
    comparedTexts.set(uri, compared);
    const [oldest] = comparedTexts.keys();
    if (comparedTexts.size <= limits.comparedTexts || oldest === undefined) return;
    comparedTexts.delete(oldest);
    guard.forget(otherKey(oldest));
  };
  const closedConfigurations = createClosedConfigurations<ClosedDocument>({
    files: () => state.files,
    folders: () => state.folders,
    globs: () => configurationGlobs(state.options.configurationFiles),
    openUris: () => documents.keys(),
    isExpected: sources.kinds.isConfiguration,
    isWatched: () => state.client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    compile(uri, text, before) {
      const request = texts.request(uri, text);
      const { options } = request;
      if (before?.text === text && before.options === options) return before;
      const guardState = guard.check(request);
      if (guardState.kind === 'waiting') return { uri, settled: guardState.settled };
      if (guardState.kind === 'stopped') {
        return { uri, text, options, parts: [], stopReason: guardState.reason };
      }
      const parts = texts.compile(request, before) ?? [];
      // The state is needed only until the text is compiled.
      guard.forget(uri);
      return parts.length === 0 ? undefined : { uri, text, options, parts };
    },
    forget: guard.forget,
  });
  const closedChanged = createDelayedEvent(limits.workspaceDiagnosticsDelayMs);
  const closedUris = new Set<string>();
  /** Records that open documents or settings have changed, which files do not have to be read for. */
  const invalidateClosed = (): void => {
    closedConfigurations.invalidate();
    closedChanged.fire();
  };

  const guardStateOf = (uri: string): GuardState | undefined => {
    const document = documents.get(uri);
    return document && guard.check(texts.request(uri, document.getText()));
  };
  /** Returns why an open document is not compiled; `undefined` for all others. */
  const stopReason = (uri: string): StopReason | undefined => {
    const guardState = guardStateOf(uri);
    return guardState?.kind === 'stopped' ? guardState.reason : undefined;
  };
  /** Resolves when an open document is not being analyzed, or no longer. */
  const whenAnalyzed = async (uri: string, signal?: AbortSignal): Promise<void> => {
    while (signal?.aborted !== true) {
      const guardState = guardStateOf(uri);
      if (guardState?.kind !== 'waiting') return;
      await guardState.settled;
    }
  };

  return {
    /**
     * Returns the configurations of a document in document order; none for other documents, or
     * while a long document is being analyzed.
     */
    parts(uri: string): readonly ConfigurationPart[] {
      const document = documents.get(uri);
      if (document === undefined) return [];
      const options = optionsOf(uri);
      const { version } = document;
      const cached = compiled.get(uri);
      if (cached?.version === version && cached.options === options) return cached.parts;
      const parts = texts.compile(texts.request(uri, document.getText()), cached);
      if (parts === undefined) return [];
      compiled.set(uri, { version, options, parts });
      return parts;
    },
    stopReason,
    /** Returns whether an open document is being analyzed. */
    isAnalyzing: (uri: string): boolean => guardStateOf(uri)?.kind === 'waiting',
    whenAnalyzed,
    /**
     * Returns the configurations of another version of the document's text, or `stopped` if its
     * analysis was stopped.
     */
    async partsOfComparedText(
      uri: string,
      text: string,
    ): Promise<readonly ConfigurationPart[] | 'stopped'> {
      const request = texts.request(uri, text, otherKey(uri));
      keepCompared(uri, comparedTexts.get(uri));
      if (!(await texts.mayCompile(request))) return 'stopped';
      const { options } = request;
      const cached = comparedTexts.get(uri);
      if (cached?.text === text && cached.options === options) return cached.parts;
      const parts = texts.compile(request, cached ?? compiled.get(uri)) ?? [];
      keepCompared(uri, { text, options, parts });
      return parts;
    },
    /**
     * Returns the configurations of files that are not open: as currently on disk, or, if `isRecent`
     * is set, as they were when a file changed last.
     */
    async closedParts(
      signal: AbortSignal,
      { isRecent = false }: { readonly isRecent?: boolean } = {},
    ): Promise<ClosedParts> {
      const { recent, read } = closedConfigurations;
      const next = () => (isRecent ? recent() : read(signal));
      let result = await next();
      while (result.analyzing.length > 0 && !signal.aborted) {
        const analyses = Promise.all(result.analyzing.map(({ settled }) => settled));
        await Promise.race([analyses, whenAborted(signal)]);
        result = await next();
      }
      // Open documents count as well.
      for (const uri of documents.keys()) await whenAnalyzed(uri, signal);
      const slow = documents.keys().find((uri) => stopReason(uri) !== undefined);
      return {
        parts: result.compiled.flatMap(({ parts }) => parts),
        skipped: slow === undefined ? result.skipped : { kind: 'stopped', uri: slow },
      };
    },
    /** Returns the files that are not open, without those that are being analyzed. */
    async closedDocuments(): Promise<ClosedReadResult<ClosedDocument>> {
      const result = await closedConfigurations.recent();
      if (result.skipped !== undefined) sources.onSkipped(result.skipped);
      return result;
    },
    invalidateClosed,
    /** Records that files were changed, created or deleted. */
    changeFiles(uris: readonly string[]): void {
      if (closedConfigurations.change(uris)) closedChanged.fire();
    },
    /** Records that diagnostics of files that are not open may have changed. */
    updateClosed: closedChanged.fire,
    /** Fires once for several changes. */
    onClosedChanged: closedChanged.event,
    /** URIs of the documents that were closed, without those that are open again. */
    closedUris: (): readonly string[] => [...closedUris],
    /** Follows a document that was opened. */
    open(uri: string): void {
      closedUris.delete(uri);
      invalidateClosed();
    },
    /** Forgets a closed document. */
    close(uri: string): void {
      closedUris.add(uri);
      const [oldest] = closedUris;
      if (closedUris.size > limits.closedDocuments && oldest !== undefined) {
        closedUris.delete(oldest);
      }
      invalidateClosed();
      compiled.delete(uri);
      comparedTexts.delete(uri);
      guard.forget(uri);
      guard.forget(otherKey(uri));
    },
  };
};

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Creates an event that fires some time after the first of several changes. */
const createDelayedEvent = (delayMs: number): { fire(): void; readonly event: Event<void> } => {
  const emitter = new Emitter<void>();
  let isScheduled = false;
  return {
    fire(): void {
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(() => {
        isScheduled = false;
        emitter.fire();
      }, delayMs);
    },
    event: emitter.event,
  };
};

/** Compiles texts when the guard allows it. */
const createGuardedTexts = ({ optionsOf, kinds, guard, now }: ConfigurationSources) => ({
  request: (uri: string, text: string, key = uri): GuardedText => ({
    ...{ key, uri, text, options: optionsOf(uri), now },
    isDeclared: kinds.isConfiguration(uri),
  }),
  /** Returns `undefined` if the text must not be compiled here, or not yet. */
  compile(
    request: GuardedText,
    before: CompiledText | undefined,
  ): readonly ConfigurationPart[] | undefined {
    const guardState = guard.check(request);
    if (guardState.kind !== 'compile') return undefined;
    const { uri, text, options, isDeclared } = request;
    const { analyzed } = guardState;
    if (analyzed?.text === text) return analyzed.parts;
    const started = performance.now();
    const parts = compileParts({ uri, getText: () => text }, options, {
      isDeclared,
      before: analyzed ?? before,
      now,
    });
    guard.recordDuration(request, performance.now() - started);
    return parts;
  },
  /** Resolves to whether the text may be compiled. */
  async mayCompile(request: GuardedText): Promise<boolean> {
    for (;;) {
      const guardState = guard.check(request);
      if (guardState.kind !== 'waiting') return guardState.kind === 'compile';
      await guardState.settled;
    }
  },
});

/** The guard's key for the other text of a document. */
const otherKey = (uri: string): string => `other text of ${uri}`;

interface CompiledDocument extends CompiledText {
  readonly version: number;
}

interface ComparedText extends CompiledText {
  readonly text: string;
}
