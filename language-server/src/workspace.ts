/** What is open, compiled once a version; the samples beside it; the settings. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type ClosedReadResult, createClosedConfigurations } from './closed-configurations.ts';
import type { CompileGuard, GuardedText, GuardVerdict, StopReason } from './compile-guard.ts';
import { type CompiledText, type ConfigurationPart, compileParts } from './compile-parts.ts';
import { defaultOptions, type EditorOptions } from './editor-options.ts';
import { type FileReference, fileReferences } from './file-references.ts';
import type { WorkspaceFiles } from './files.ts';
import type { Folders } from './folders.ts';
import type { ChooseSample } from './protocol.ts';
import type { SampleSet } from './samples.ts';
import type { RoleFile } from './input-files.ts';

export type { ConfigurationPart } from './compile-parts.ts';

/** Configurations of files that are not open, and whether that is all of them. */
export interface ClosedParts extends Pick<ClosedReadResult<unknown>, 'skipped'> {
  readonly parts: readonly ConfigurationPart[];
}

export interface Workspace {
  readonly options: EditorOptions;
  readonly samples: SampleSet;
  /** Nothing happens where there is no such sample. */
  chooseSample(choice: ChooseSample): void;
  /** Manifests with roles, from files and open documents. */
  roles(): readonly RoleFile[];
  /** Milliseconds since 1970, or what the settings say it is. */
  now(): number;
  /**
   * The configurations of a document, in the order of its text; none for other documents, and none
   * while a long document is being analyzed.
   */
  parts(uri: string): readonly ConfigurationPart[];
  /** Why an open document is not compiled; `undefined` for all others. */
  stopReason(uri: string): StopReason | undefined;
  /** Whether an open document is being analyzed, so that nothing is known of it yet. */
  isAnalyzing(uri: string): boolean;
  /** Resolves when an open document is not, or no longer, being analyzed. */
  whenAnalyzed(uri: string, signal?: AbortSignal): Promise<void>;
  /** The whole text of an open document. */
  text(uri: string): string | undefined;
  /** Its text as the file was saved; `undefined` where there is no file. */
  savedText(uri: string): Promise<string | undefined>;
  /** The configurations of another text of the same document; `stopped` where its analysis was. */
  partsOfText(uri: string, text: string): Promise<readonly ConfigurationPart[] | 'stopped'>;
  /** Configurations of files that are not open, as they are on the disk now. */
  closedParts(signal: AbortSignal): Promise<ClosedParts>;
  /** Resolves when the files of the workspace were looked for once, so that its samples are known. */
  whenSearched(): Promise<void>;
  /** The same for a search that is under way now: false where it takes too long. */
  waitForSearch(): Promise<boolean>;
  /** They are being looked for: whether there are samples is not known yet. */
  readonly isSearchPending: boolean;
  /** Files that a document names as configurations of a server. */
  references(uri: string): readonly FileReference[];
  /** URIs of what is open. */
  readonly openUris: readonly string[];
}

/** The part that a server changes. */
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
  /** Whether the settings call the file a configuration. */
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
  /** Other texts of open documents, the last one of each. */
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
  /** `undefined` where the text must not be compiled here, or not yet. */
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
  /** Whether the text may be compiled, when that is known. */
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
      // What passed is held no longer than its compilation.
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
      // All configurations include those that are open.
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

/** Under which the guard knows the other text of a document. */
const otherKey = (uri: string): string => `other text of ${uri}`;

interface CompiledDocument extends CompiledText {
  readonly version: number;
}

interface OtherText extends CompiledText {
  readonly text: string;
}
