/** What is open, compiled once a version; the samples beside it; the settings. */
import {
  type Compilation,
  compile,
  type Diagnostic,
  findConfigurations,
  lint,
  type SourceFile,
  settingsFor,
  sourceFile,
} from '@authgraph/engine/language';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type ClosedReading, createClosedConfigurations } from './closed-configurations.ts';
import { defaultOptions, type EditorOptions } from './editor-options.ts';
import { type FileReference, fileReferences } from './file-references.ts';
import type { WorkspaceFiles } from './files.ts';
import type { Folders } from './folders.ts';
import { limits } from './limits.ts';
import type { ChooseSample } from './protocol.ts';
import type { SampleSet } from './samples.ts';
import { type Places, placesIn } from './to-protocol.ts';
import type { RoleText } from './workspace-texts.ts';

/** One configuration of a document, compiled. Offsets are those of its own text. */
export interface ConfigurationPart {
  readonly uri: string;
  /** `kube-system/auth · auth.yaml`, where it stands in another object. */
  readonly name?: string | undefined;
  readonly compilation: Compilation;
  readonly places: Places;
  /** Asked for when needed: lints read the whole compilation. */
  lints(): readonly Diagnostic[];
  /** Its document is too long to be looked into: nothing is known of it. */
  readonly isLong: boolean;
}

/** Configurations of files that are not open, and whether that is all of them. */
export interface ClosedParts extends Pick<ClosedReading<unknown>, 'passedOver'> {
  readonly parts: readonly ConfigurationPart[];
}

export interface Workspace {
  readonly options: EditorOptions;
  readonly samples: SampleSet;
  /** Nothing happens where there is no such sample. */
  chooseSample(choice: ChooseSample): void;
  /** Manifests with roles, from files and open documents. */
  roles(): readonly RoleText[];
  /** Milliseconds since 1970, or what the settings say it is. */
  now(): number;
  /** The configurations of a document, in the order of its text; none for other documents. */
  parts(uri: string): readonly ConfigurationPart[];
  /** The whole text of an open document. */
  text(uri: string): string | undefined;
  /** Its text as the file was saved; `undefined` where there is no file. */
  saved(uri: string): Promise<string | undefined>;
  /** The configurations of another text of the same document. */
  partsOf(uri: string, text: string): readonly ConfigurationPart[];
  /** Configurations of files that are not open, as they are on the disk now. */
  closedParts(signal: AbortSignal): Promise<ClosedParts>;
  /** Resolves when the files of the workspace were looked for once, so that its samples are known. */
  searched(): Promise<void>;
  /** The same for a search that is under way now: false where it takes too long. */
  complete(): Promise<boolean>;
  /** They are being looked for: whether there are samples is not known yet. */
  readonly isUnread: boolean;
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
  readonly roles: () => readonly RoleText[];
  readonly folders: () => Folders;
  readonly saved: (uri: string) => Promise<string | undefined>;
  readonly files: () => WorkspaceFiles;
  readonly searched: () => Promise<void>;
  readonly complete: () => Promise<boolean>;
  readonly isUnread: () => boolean;
}): MutableWorkspace => {
  let options = defaultOptions;
  const compiled = new Map<string, CompiledDocument>();
  /** Other texts of open documents, the last one of each. */
  const others = new Map<string, OtherText>();

  const partsOf = (document: TextDocument): readonly ConfigurationPart[] => {
    const known = compiled.get(document.uri);
    if (known?.version === document.version && known.options === options) return known.parts;
    const expected = sources.isExpected(document.uri);
    const parts = compileParts(document, options, { expected, before: known });
    compiled.set(document.uri, { version: document.version, options, parts });
    return parts;
  };

  const closed = createClosedConfigurations<CompiledText>({
    files: sources.files,
    globs: () => options.configurationFiles,
    openUris: sources.openUris,
    isExpected: sources.isExpected,
    compile(uri, text, before) {
      const expected = sources.isExpected(uri);
      const parts = compileParts({ uri, getText: () => text }, options, { expected, before });
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
    now: () => options.fixedClock ?? sources.now(),
    parts(uri) {
      const document = sources.document(uri);
      return document === undefined ? [] : partsOf(document);
    },
    text: (uri) => sources.document(uri)?.getText(),
    saved: sources.saved,
    searched: sources.searched,
    complete: sources.complete,
    get isUnread() {
      return sources.isUnread();
    },
    async closedParts(signal) {
      const { compiled: found, passedOver } = await closed.read(signal);
      return { parts: found.flatMap(({ parts }) => parts), passedOver };
    },
    partsOf(uri, text) {
      const known = others.get(uri);
      if (known?.text === text && known.options === options) return known.parts;
      const expected = sources.isExpected(uri);
      const before = known ?? compiled.get(uri);
      const parts = compileParts({ uri, getText: () => text }, options, { expected, before });
      others.set(uri, { text, options, parts });
      return parts;
    },
    setOptions(changed) {
      options = changed;
    },
    close(uri) {
      compiled.delete(uri);
      others.delete(uri);
    },
  };
};

interface CompiledText {
  readonly options: EditorOptions;
  readonly parts: readonly ConfigurationPart[];
}

interface CompiledDocument extends CompiledText {
  readonly version: number;
}

interface OtherText extends CompiledText {
  readonly text: string;
}

const compileParts = (
  document: Pick<TextDocument, 'uri' | 'getText'>,
  options: EditorOptions,
  { expected, before }: { readonly expected: boolean; readonly before: CompiledText | undefined },
): readonly ConfigurationPart[] => {
  const text = document.getText();
  const file = sourceFile(document.uri, text);
  const isLong = text.length > limits.documentLength;
  const sameOptions = before?.options === options;
  return findConfigurations(file, { expected }).map((nested, index) => {
    const previous = before?.parts[index];
    // Where only the text around it changed, the configuration is as it was.
    const isSame = sameOptions && previous?.compilation.document.source.text === nested.source.text;
    const around = { name: nested.name, places: placesIn(file, nested) };
    if (isSame && previous !== undefined) return { ...previous, ...around };
    return { ...compilePart(nested.source, { options, isLong, previous }), ...around };
  });
};

const compilePart = (
  source: SourceFile,
  part: {
    readonly options: EditorOptions;
    readonly isLong: boolean;
    readonly previous: ConfigurationPart | undefined;
  },
): Omit<ConfigurationPart, 'name' | 'places'> => {
  const compilation = compile({
    source,
    settings: settingsFor(part.options.targetRelease),
    limits: part.isLong ? 'refuse' : 'warn',
    previous: part.previous?.compilation,
  });
  let lints: readonly Diagnostic[] | undefined;
  return {
    uri: source.uri,
    isLong: part.isLong,
    compilation: part.isLong ? onlyWarned(compilation) : compilation,
    lints() {
      lints ??= lint(compilation);
      return lints;
    },
  };
};

/** Too long a text is not looked into, which is no fault of the text. */
const onlyWarned = (compilation: Compilation): Compilation => ({
  ...compilation,
  diagnostics: compilation.diagnostics.map((found) => ({ ...found, severity: 'warning' as const })),
});
