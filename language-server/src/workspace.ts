/** What features read: the configurations, the samples, the settings. */
import { type ReferencedFile, referencedFiles, sourceFile } from '@authgraph/engine/language';
import type { Range, TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { URI, Utils } from 'vscode-uri';
import { createBindings, type WorkspaceBindings } from './bindings.ts';
import type { Configurations } from './configurations.ts';
import type { DoctorResults, FindingsOfIssuer } from './doctor-results.ts';
import type { EditorOptions } from './editor-options.ts';
import type { EditorState } from './editor-state.ts';
import type { FileCache } from './file-cache.ts';
import type { Folders } from './folders.ts';
import type { InputFiles, RoleFiles } from './input-files.ts';
import { limits } from './limits.ts';
import type { ProjectSettings } from './project-settings.ts';
import type { ChooseSample } from './protocol.ts';
import type { SampleSet, SampleStore } from './samples.ts';
import type { SavedContents } from './saved-contents.ts';
import { rangeOf } from './to-protocol.ts';

export type { ConfigurationPart } from './compile-parts.ts';

export interface Workspace
  extends Configurations,
    Pick<FileCache, 'whenSearched' | 'waitForSearch' | 'isSearchPending'>,
    Pick<ProjectSettings, 'optionsOf' | 'settingsPart' | 'asReported'> {
  /** The options of the editor; those of settings files are in `optionsOf`. */
  readonly options: EditorOptions;
  /** The samples of all workspace folders. */
  readonly samples: SampleSet;
  /** Returns the samples that count for a configuration: in general those of its workspace folder. */
  samplesFor(uri: string): SampleSet;
  /** Sets the current sample; does nothing if there is no such sample. */
  chooseSample(choice: ChooseSample): void;
  /** Returns the manifests that may contain roles, from files and open documents. */
  roles(): RoleFiles;
  /** Returns the groups that the bindings in these manifests name. */
  bindings(): WorkspaceBindings;
  /** Returns milliseconds since 1970, or the fixed time of the settings. */
  now(): number;
  /** Returns the text of an open document. */
  text(uri: string): string | undefined;
  /** Returns the saved text of a document; `undefined` if there is no file. */
  savedText(uri: string): Promise<string | undefined>;
  /** Returns what the doctor found about the issuers of a document; `undefined` before it ran. */
  findingsOf(uri: string): FindingsOfIssuer | undefined;
  /** Returns whether a file is in a workspace folder. */
  isInFolder(uri: string): boolean;
  /** Returns the files that a document references as authentication configurations. */
  references(uri: string): readonly FileReference[];
  /** URIs of the open documents. */
  readonly openUris: readonly string[];
}

export const createWorkspace = (parts: {
  readonly state: EditorState;
  readonly documents: Pick<TextDocuments<TextDocument>, 'get' | 'keys'>;
  readonly configurations: Configurations;
  readonly project: ProjectSettings;
  readonly inputs: InputFiles;
  readonly cache: FileCache;
  readonly store: SampleStore;
  readonly saved: SavedContents;
  readonly doctor: Pick<DoctorResults, 'of'>;
  readonly now: () => number;
}): Workspace => {
  const { state, documents, configurations, project, inputs, cache, store, saved, doctor, now } =
    parts;
  return {
    // `parts(uri)` compiles the document if its version has not been compiled yet.
    ...configurations,
    optionsOf: project.optionsOf,
    settingsPart: project.settingsPart,
    asReported: project.asReported,
    get options() {
      return state.options;
    },
    get samples() {
      return store.set;
    },
    samplesFor: (uri) =>
      store.setIn({
        folder: state.folders.folderOf(uri)?.uri,
        sampleFolders: project.sampleFoldersOf(uri),
      }),
    chooseSample: store.choose,
    roles: inputs.roles,
    bindings: createBindings(inputs.roles),
    now,
    text: (uri) => documents.get(uri)?.getText(),
    savedText: saved.read,
    findingsOf: doctor.of,
    isInFolder: (uri) => state.folders.pathOf(uri) !== undefined,
    references(uri) {
      const document = documents.get(uri);
      return document === undefined ? [] : fileReferences(document, state.folders);
    },
    get openUris() {
      return documents.keys();
    },
    whenSearched: cache.whenSearched,
    waitForSearch: cache.waitForSearch,
    get isSearchPending() {
      return cache.isSearchPending;
    },
  };
};

export interface FileReference {
  /** The range of the path. */
  readonly range: Range;
  /** A file in a workspace folder, or a position in the same file. The file may not exist. */
  readonly target: string;
}

/**
 * Finds the files that a cluster's own configuration references as its authentication
 * configuration.
 */
export const fileReferences = (
  document: { readonly uri: string; getText(): string },
  folders: Folders,
): readonly FileReference[] => {
  const text = document.getText();
  if (text.length > limits.documentLength) return [];
  const file = sourceFile(document.uri, text);
  return referencedFiles(file).flatMap((referred) => {
    const target =
      referred.content === undefined
        ? targetOf(document.uri, referred, folders)
        : `${document.uri}#${file.positionAt(referred.content.start).line + 1}`;
    return target === undefined ? [] : [{ range: rangeOf(file, referred.span), target }];
  });
};

const targetOf = (uri: string, { path }: ReferencedFile, folders: Folders): string | undefined => {
  // A URL rather than a path.
  if (path === '' || /^[a-z][a-z\d+.-]*:/i.test(path)) return undefined;
  try {
    const target = Utils.resolvePath(Utils.dirname(URI.parse(uri, true)), path).toString();
    return folders.pathOf(target) === undefined ? undefined : target;
  } catch {
    return undefined;
  }
};
