/** What is open, compiled once a version; the samples beside it; the settings. */
import {
  type Compilation,
  compile,
  type Diagnostic,
  lint,
  settingsFor,
  sourceFile,
} from '@authgraph/engine/language';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { defaultOptions, type EditorOptions } from './editor-options.ts';
import type { SampleSet } from './samples.ts';
import { type Places, wholeFile } from './to-protocol.ts';
import type { RoleText } from './workspace-texts.ts';

/** One configuration of a document, compiled. Offsets are those of its own text. */
export interface ConfigurationPart {
  readonly uri: string;
  readonly compilation: Compilation;
  readonly places: Places;
  /** Asked for when needed: lints read the whole compilation. */
  lints(): readonly Diagnostic[];
}

export interface Workspace {
  readonly options: EditorOptions;
  readonly samples: SampleSet;
  /** Manifests with roles, from files and open documents. */
  roles(): readonly RoleText[];
  /** Milliseconds since 1970, or what the settings say it is. */
  now(): number;
  /** The configurations of a document, in the order of its text; none for other documents. */
  parts(uri: string): readonly ConfigurationPart[];
  /** The whole text of an open document. */
  text(uri: string): string | undefined;
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
  readonly roles: () => readonly RoleText[];
}): MutableWorkspace => {
  let options = defaultOptions;
  const compiled = new Map<string, CompiledDocument>();

  const partsOf = (document: TextDocument): readonly ConfigurationPart[] => {
    const known = compiled.get(document.uri);
    if (known?.version === document.version && known.options === options) return known.parts;
    const parts = compileParts(document, options, known?.parts ?? []);
    compiled.set(document.uri, { version: document.version, options, parts });
    return parts;
  };

  return {
    get options() {
      return options;
    },
    get samples() {
      return sources.samples();
    },
    roles: sources.roles,
    get openUris() {
      return sources.openUris();
    },
    now: () => options.fixedClock ?? sources.now(),
    parts(uri) {
      const document = sources.document(uri);
      return document === undefined ? [] : partsOf(document);
    },
    text: (uri) => sources.document(uri)?.getText(),
    setOptions(changed) {
      options = changed;
    },
    close(uri) {
      compiled.delete(uri);
    },
  };
};

interface CompiledDocument {
  readonly version: number;
  readonly options: EditorOptions;
  readonly parts: readonly ConfigurationPart[];
}

const compileParts = (
  document: TextDocument,
  options: EditorOptions,
  previous: readonly ConfigurationPart[],
): readonly ConfigurationPart[] => {
  const text = document.getText();
  if (!looksLikeConfiguration(text)) return [];
  const source = sourceFile(document.uri, text);
  const compilation = compile({
    source,
    settings: settingsFor(options.targetRelease),
    limits: 'warn',
    previous: previous[0]?.compilation,
  });
  let lints: readonly Diagnostic[] | undefined;
  return [
    {
      uri: document.uri,
      compilation,
      places: wholeFile(source),
      lints() {
        lints ??= lint(compilation);
        return lints;
      },
    },
  ];
};

/** By its own words; cheap, since every YAML file that is open is asked. */
const looksLikeConfiguration = (text: string): boolean =>
  /^\s*["']?kind["']?\s*:\s*["']?AuthenticationConfiguration\b/m.test(text.slice(0, headLength));

const headLength = 4096;
