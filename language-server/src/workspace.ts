/** The open documents, compiled once per version; the samples; the settings. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type ClosedReadResult, createClosedConfigurations } from './closed-configurations.ts';
import type { CompileGuard, GuardedText, GuardVerdict, StopReason } from './compile-guard.ts';
import { type CompiledText, type ConfigurationPart, compileParts } from './compile-parts.ts';
import { defaultOptions, type EditorOptions } from './editor-options.ts';
import { type FileReference, fileReferences } from './file-references.ts';
import type { WorkspaceFiles } from './files.ts';
import type { Folders } from './folders.ts';
import type { RoleFile } from './input-files.ts';
import type { ChooseSample } from './protocol.ts';
import type { SampleSet } from './samples.ts';

export type { ConfigurationPart } from './compile-parts.ts';

/** Configurations of files that are not open, and whether any were skipped. */
export interface ClosedParts extends Pick<ClosedReadResult<unknown>, 'skipped'> {
  readonly parts: readonly ConfigurationPart[];
}

export interface Workspace {
  readonly options: EditorOptions;
  readonly samples: SampleSet;
  /** Sets the current sample; does nothing if there is no such sample. */
  chooseSample(choice: ChooseSample): void;
  /** Returns the manifests that may contain roles, from files and open documents. */
  roles(): readonly RoleFile[];
  /** Returns milliseconds since 1970, or the fixed time of the settings. */
  now(): number;
  /**
   * Returns the configurations of a document in document order; none for other documents, or while
   * a long document is being analyzed.
   */
  parts(uri: string): readonly ConfigurationPart[];
  /** Returns why an open document is not compiled; `undefined` for all others. */
  stopReason(uri: string): StopReason | undefined;
  /** Returns whether an open document is being analyzed. */
  isAnalyzing(uri: string): boolean;
  /** Resolves when an open document is not being analyzed, or no longer. */
  whenAnalyzed(uri: string, signal?: AbortSignal): Promise<void>;
  /** Returns the text of an open document. */
  text(uri: string): string | undefined;
  /** Returns the saved text of a document; `undefined` if there is no file. */
  savedText(uri: string): Promise<string | undefined>;
  /**
   * Returns the configurations of another version of the document's text, or `stopped` if its
   * analysis was stopped.
   */
  partsOfText(uri: string, text: string): Promise<readonly ConfigurationPart[] | 'stopped'>;
  /** Returns the configurations of files that are not open, as currently on disk. */
  closedParts(signal: AbortSignal): Promise<ClosedParts>;
  /** Resolves when the workspace files have been searched once. */
  whenSearched(): Promise<void>;
  /** Waits for a search in progress; returns false if it takes too long. */
  waitForSearch(): Promise<boolean>;
  /** Whether the first search is still in progress, so that samples may be missing. */
  readonly isSearchPending: boolean;
  /** Returns the files that a document references as authentication configurations. */
  references(uri: string): readonly FileReference[];
  /** URIs of the open documents. */
  readonly openUris: readonly string[];
}

/** The mutable side of the workspace, for the server itself. */
export interface MutableWorkspace extends Workspace {
  setOptions(options: EditorOptions): void;
  close(uri: string): void;
}

export const createWorkspace = (sources: {
  readonly document: (uri: string) => TextDocument | undefined;
  readonly openUris: () => readonly string[];
  readonly now: () => number;
  readonly samples: () => SampleSet;
  readonly chooseSample: (choice: ChooseSample) => void;
  /** Whether the settings declare the file to be a configuration. */
  readonly isExpected: (uri: string) => boolean;
  readonly roles: () => readonly RoleFile[];
  readonly folders: () => Folders;
  readonly savedText: (uri: string) => Promise<string | undefined>;
  readonly files: () => WorkspaceFiles;
  readonly whenSearched: () => Promise<void>;
  readonly waitForSearch: () => Promise<boolean>;
  readonly isSearchPending: () => boolean;
  readonly guard: CompileGuard;
}): MutableWorkspace => {
  let options = defaultOptions;
  const compiled = new Map<string, CompiledDocument>();
  /** The last other text of each open document. */
  const otherTexts = new Map<string, OtherText>();

  const now = (): number => options.fixedClock ?? sources.now();

  const partsOf = (document: TextDocument): readonly ConfigurationPart[] => {
    const cached = compiled.get(document.uri);
    if (cached?.version === document.version && cached.options === options) return cached.parts;
    const { uri } = document;
    const parts = guardedParts(guardedText(uri, document.getText()), cached);
    if (parts === undefined) return [];
    compiled.set(uri, { version: document.version, options, parts });
    return parts;
  };
  const guardedText = (uri: string, text: string, key = uri): GuardedText => ({
    ...{ key, uri, text, options, now },
    expected: sources.isExpected(uri),
  });
  /** Returns `undefined` if the text must not be compiled here, or not yet. */
  const guardedParts = (
    request: GuardedText,
    before: CompiledText | undefined,
  ): readonly ConfigurationPart[] | undefined => {
    const verdict = sources.guard.check(request);
    if (verdict.kind !== 'compile') return undefined;
    const { uri, text, expected } = request;
    const { analyzed } = verdict;
    if (analyzed?.text === text) return analyzed.parts;
    const started = performance.now();
    const parts = compileParts({ uri, getText: () => text }, request.options, {
      expected,
      before: analyzed ?? before,
      now,
    });
    sources.guard.recordDuration(request, performance.now() - started);
    return parts;
  };
  const guardVerdict = (uri: string): GuardVerdict | undefined => {
    const document = sources.document(uri);
    return document && sources.guard.check(guardedText(uri, document.getText()));
  };
  const stopReason = (uri: string): StopReason | undefined => {
    const verdict = guardVerdict(uri);
    return verdict?.kind === 'stopped' ? verdict.reason : undefined;
  };
  const whenAnalyzed = async (uri: string, signal?: AbortSignal): Promise<void> => {
    while (signal?.aborted !== true) {
      const verdict = guardVerdict(uri);
      if (verdict?.kind !== 'waiting') return;
      await verdict.settled;
    }
  };
  /** Resolves to whether the text may be compiled. */
  const mayCompile = async (request: GuardedText): Promise<boolean> => {
    for (;;) {
      const verdict = sources.guard.check(request);
      if (verdict.kind !== 'waiting') return verdict.kind === 'compile';
      await verdict.settled;
    }
  };

  const closed = createClosedConfigurations<CompiledText>({
    files: sources.files,
    globs: () => options.configurationFiles,
    openUris: sources.openUris,
    isExpected: sources.isExpected,
    async compile(uri, text, before) {
      const request = guardedText(uri, text);
      if (!(await mayCompile(request))) return 'stopped';
      const parts = guardedParts(request, before) ?? [];
      // The state is needed only until the text is compiled.
      sources.guard.forget(uri);
      return parts.length === 0 ? undefined : { options, parts };
    },
  });

  return {
    get options() {
      return options;
    },
    get samples() {
      return sources.samples();
    },
    chooseSample: sources.chooseSample,
    roles: sources.roles,
    references(uri) {
      const document = sources.document(uri);
      return document === undefined ? [] : fileReferences(document, sources.folders());
    },
    get openUris() {
      return sources.openUris();
    },
    now,
    parts(uri) {
      const document = sources.document(uri);
      return document === undefined ? [] : partsOf(document);
    },
    stopReason,
    isAnalyzing: (uri) => guardVerdict(uri)?.kind === 'waiting',
    whenAnalyzed,
    text: (uri) => sources.document(uri)?.getText(),
    savedText: sources.savedText,
    whenSearched: sources.whenSearched,
    waitForSearch: sources.waitForSearch,
    get isSearchPending() {
      return sources.isSearchPending();
    },
    async closedParts(signal) {
      const { compiled: closedDocuments, skipped } = await closed.read(signal);
      // Open documents count as well.
      for (const uri of sources.openUris()) await whenAnalyzed(uri, signal);
      const slow = sources.openUris().find((uri) => stopReason(uri) !== undefined);
      return {
        parts: closedDocuments.flatMap(({ parts }) => parts),
        skipped: slow === undefined ? skipped : { kind: 'stopped', uri: slow },
      };
    },
    async partsOfText(uri, text) {
      const request = guardedText(uri, text, otherKey(uri));
      if (!(await mayCompile(request))) return 'stopped';
      const cached = otherTexts.get(uri);
      if (cached?.text === text && cached.options === options) return cached.parts;
      const parts = guardedParts(request, cached ?? compiled.get(uri)) ?? [];
      otherTexts.set(uri, { text, options, parts });
      return parts;
    },
    setOptions(changed) {
      options = changed;
    },
    close(uri) {
      compiled.delete(uri);
      otherTexts.delete(uri);
      sources.guard.forget(uri);
      sources.guard.forget(otherKey(uri));
    },
  };
};

/** The guard's key for the other text of a document. */
const otherKey = (uri: string): string => `other text of ${uri}`;

interface CompiledDocument extends CompiledText {
  readonly version: number;
}

interface OtherText extends CompiledText {
  readonly text: string;
}
