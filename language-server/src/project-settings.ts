/**
 * The settings files of the workspace (`.authgraph.yaml`), from open documents or from disk. The one
 * of the nearest parent folder applies to a document and takes precedence over the settings of the
 * editor.
 */
import {
  applySettings,
  catalog,
  type Diagnostic,
  expiredSuppressions,
  overlaySettings,
  readSettings,
  type Settings,
  settingsFileName,
  sourceFile,
  untrustedSettings,
  wholeText,
} from '@authgraph/engine/language';
import { URI, Utils } from 'vscode-uri';
import type { EditorOptions } from './editor-options.ts';
import type { EditorState } from './editor-state.ts';
import type { FileCache } from './file-cache.ts';
import { canonicalUri } from './folders.ts';
import { type Places, placesIn } from './to-protocol.ts';

/** The glob of all settings files. */
const settingsGlob = `**/${settingsFileName}`;

/** Returns the globs of the files that are read in addition to configurations. */
export const watchedGlobs = ({
  state,
  project,
}: {
  readonly state: Pick<EditorState, 'options'>;
  readonly project: Pick<ProjectSettings, 'sampleGlobs'>;
}): readonly string[] => [
  ...state.options.sampleFiles,
  ...state.options.roleFiles,
  ...project.sampleGlobs(),
  settingsGlob,
];

export const isSettingsFile = (uri: string): boolean =>
  canonicalUri(uri).endsWith(`/${settingsFileName}`);

/** A settings file and its diagnostics. */
export interface SettingsPart {
  readonly uri: string;
  readonly places: Places;
  readonly diagnostics: readonly Diagnostic[];
}

interface SettingsFile {
  readonly text: string;
  /** The settings that apply: fewer in an untrusted workspace. */
  readonly settings: Settings;
  /** The folder of the file, with a slash at its end. */
  readonly folder: string;
  readonly part: SettingsPart;
}

export type ProjectSettings = ReturnType<typeof createProjectSettings>;

export const createProjectSettings = (sources: {
  readonly state: Pick<EditorState, 'options' | 'isTrusted' | 'folders'>;
  readonly cache: Pick<FileCache, 'all'>;
  readonly documents: { all(): readonly { readonly uri: string; getText(): string }[] };
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
}) => {
  const { state, cache, documents, now } = sources;
  let files: ReadonlyMap<string, SettingsFile> = new Map();
  let sampleFolders: readonly string[] = [];
  const combined = new WeakMap<SettingsFile, { editor: EditorOptions; options: EditorOptions }>();

  const readFile = (uri: string, text: string): SettingsFile => {
    const folder = uri.slice(0, -settingsFileName.length);
    const known = files.get(folder);
    if (known?.text === text) return known;
    const source = sourceFile(uri, text);
    const reading = readSettings(source, catalog);
    const diagnostics = [
      ...reading.diagnostics,
      ...expiredSuppressions(reading.settings.suppressions, now()),
    ];
    const part = { uri, places: placesIn(source, wholeText(source)), diagnostics };
    const settings = state.isTrusted
      ? reading.settings
      : untrustedSettings(reading.settings, catalog);
    return { text, settings, folder, part };
  };

  const nearest = (uri: string): SettingsFile | undefined => {
    if (files.size === 0) return undefined;
    const path = canonicalUri(uri);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const settingsFile = files.get(path.slice(0, end + 1));
      if (settingsFile !== undefined) return settingsFile;
    }
    return undefined;
  };

  const optionsOf = (uri: string): EditorOptions => {
    const { options: editor } = state;
    const file = nearest(uri);
    if (file === undefined) return editor;
    const known = combined.get(file);
    if (known?.editor === editor) return known.options;
    const options = { ...editor, settings: overlaySettings(file.settings, editor.settings) };
    combined.set(file, { editor, options });
    return options;
  };

  return {
    /**
     * Reads the settings files again; open documents take precedence over files on disk. Returns
     * whether other folders have samples than before.
     */
    reload(): { readonly hasNewSampleFolders: boolean } {
      const next = new Map<string, SettingsFile>();
      const add = (uri: string, text: string): void => {
        if (!isSettingsFile(uri)) return;
        const file = readFile(canonicalUri(uri), text);
        next.set(file.folder, file);
      };
      for (const { uri, text } of cache.all.values()) if (text !== undefined) add(uri, text);
      for (const document of documents.all()) add(document.uri, document.getText());
      files = next;
      const before = sampleFolders.join(' ');
      sampleFolders = [...next.values()].flatMap(sampleFoldersIn);
      return { hasNewSampleFolders: sampleFolders.join(' ') !== before };
    },
    /** Returns the options for a document: one object while nothing has changed. */
    optionsOf,
    /** Returns the sample folders that the settings of a document name. */
    sampleFoldersOf(uri: string): readonly string[] {
      const file = nearest(uri);
      return file === undefined ? [] : sampleFoldersIn(file);
    },
    /** Globs of the sample folders that are in a workspace folder. */
    sampleGlobs: (): readonly string[] =>
      sampleFolders.flatMap((folder) => {
        const path = state.folders.pathOf(folder);
        return path === undefined ? [] : [`${path}**/*.{json,yaml,yml}`];
      }),
    /** Returns whether a file is in a sample folder. */
    isInSampleFolder: (uri: string): boolean =>
      sampleFolders.length > 0 &&
      /\.(?:json|ya?ml)$/.test(uri) &&
      !isSettingsFile(uri) &&
      sampleFolders.some((folder) => canonicalUri(uri).startsWith(folder)),
    /** Returns a settings file with its diagnostics; `undefined` for other documents. */
    settingsPart: (uri: string): SettingsPart | undefined =>
      isSettingsFile(uri)
        ? files.get(canonicalUri(uri).slice(0, -settingsFileName.length))?.part
        : undefined,
    /** Returns the diagnostics of a configuration in a file as its settings report them. */
    asReported(uri: string, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
      const file = nearest(uri);
      return applySettings(diagnostics, {
        settings: optionsOf(uri).settings,
        path: file === undefined ? '' : canonicalUri(uri).slice(file.folder.length),
        now: now(),
      });
    },
  };
};

const sampleFoldersIn = ({
  folder,
  settings,
}: Pick<SettingsFile, 'folder' | 'settings'>): readonly string[] =>
  settings.sampleFolders.map((path) => resolveFolder(folder, path));

const resolveFolder = (folder: string, path: string): string => {
  const resolved = Utils.resolvePath(URI.parse(folder), path.replaceAll('\\', '/')).toString();
  return resolved.endsWith('/') ? resolved : `${resolved}/`;
};
