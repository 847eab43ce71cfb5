/** Compiles the configurations of a document. */
import {
  advise,
  adviseSteps,
  type Compilation,
  type CompileRequest,
  compile,
  compileSteps,
  type Diagnostic,
  findConfigurations,
  type ResumableWork,
  type SourceFile,
  settingsFor,
  sourceFile,
} from '@authgraph/engine/language';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type EditorOptions, targetReleaseOf } from './editor-options.ts';
import { limits } from './limits.ts';
import { type Places, placesIn } from './to-protocol.ts';

/** One compiled configuration of a document. Offsets refer to the configuration's own text. */
export interface ConfigurationPart {
  readonly uri: string;
  /**
   * A label such as `kube-system/auth · auth.yaml`, if the configuration is embedded in another object.
   */
  readonly name?: string | undefined;
  readonly compilation: Compilation;
  readonly places: Places;
  /** Computes the lints on demand, since they read the whole compilation. */
  lints(): readonly Diagnostic[];
  /** Whether its document is too long to be analyzed. */
  readonly isLong: boolean;
}

export interface CompiledText {
  readonly options: EditorOptions;
  readonly parts: readonly ConfigurationPart[];
}

export const compileParts = (
  document: Pick<TextDocument, 'uri' | 'getText'>,
  options: EditorOptions,
  {
    isDeclared,
    before,
    now,
  }: {
    readonly isDeclared: boolean;
    readonly before: CompiledText | undefined;
    readonly now: () => number;
  },
): readonly ConfigurationPart[] => {
  const text = document.getText();
  const file = sourceFile(document.uri, text);
  const isLong = text.length > limits.documentLength;
  const sameOptions = before?.options === options;
  return findConfigurations(file, { isDeclared }).map((nested, index) => {
    const previous = before?.parts[index];
    // Only the text around the configuration changed.
    const isSame = sameOptions && previous?.compilation.document.source.text === nested.source.text;
    const placement = { name: nested.name, places: placesIn(file, nested) };
    if (isSame && previous !== undefined) return { ...previous, ...placement };
    return { ...compilePart(nested.source, { options, isLong, previous, now }), ...placement };
  });
};

/**
 * Compiles like `compileParts` without a previous result, including the lints, as resumable work.
 */
export function* compilePartsSteps(
  document: Pick<TextDocument, 'uri' | 'getText'>,
  options: EditorOptions,
  { isDeclared, now }: { readonly isDeclared: boolean; readonly now: () => number },
): ResumableWork<readonly ConfigurationPart[]> {
  const text = document.getText();
  const file = sourceFile(document.uri, text);
  const isLong = text.length > limits.documentLength;
  const parts: ConfigurationPart[] = [];
  for (const nested of findConfigurations(file, { isDeclared })) {
    yield;
    const { source } = nested;
    const compilation = yield* compileSteps(compileRequest(source, options, isLong));
    const lints = yield* adviseSteps(compilation, now());
    const part = partOf(source, { compilation, isLong, lints: () => lints });
    parts.push({ ...part, name: nested.name, places: placesIn(file, nested) });
  }
  return parts;
}

const compilePart = (
  source: SourceFile,
  request: {
    readonly options: EditorOptions;
    readonly isLong: boolean;
    readonly previous: ConfigurationPart | undefined;
    readonly now: () => number;
  },
): Omit<ConfigurationPart, 'name' | 'places'> => {
  const compilation = compile({
    ...compileRequest(source, request.options, request.isLong),
    previous: request.previous?.compilation,
  });
  let lints: readonly Diagnostic[] | undefined;
  return partOf(source, {
    compilation,
    isLong: request.isLong,
    lints() {
      lints ??= advise(compilation, request.now());
      return lints;
    },
  });
};

const compileRequest = (
  source: SourceFile,
  options: EditorOptions,
  isLong: boolean,
): CompileRequest => ({
  source,
  settings: { ...settingsFor(targetReleaseOf(options)), fileDomain: options.settings.apiDomain },
  limits: isLong ? 'refuse' : 'warn',
});

const partOf = (
  { uri }: SourceFile,
  part: Pick<ConfigurationPart, 'compilation' | 'isLong' | 'lints'>,
): Omit<ConfigurationPart, 'name' | 'places'> => ({
  uri,
  ...part,
  compilation: part.isLong ? onlyWarned(part.compilation) : part.compilation,
});

/** Lowers errors to warnings: a document that is too long to be analyzed is not invalid. */
const onlyWarned = (compilation: Compilation): Compilation => ({
  ...compilation,
  diagnostics: compilation.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    severity: 'warning' as const,
  })),
});
