/**
 * The whole compilation: text -> document -> configuration -> validated configuration -> graph. The
 * compiler is pure and never fails: every text yields a Compilation with as much as could be
 * understood.
 */
import { compileAnonymous } from '../authenticators/anonymous/compile.ts';
import { compileJwt } from '../authenticators/jwt/compile.ts';
import type {
  AuthenticationConfiguration,
  JwtAuthenticatorConfig,
} from '../config/configuration.ts';
import { type DecodeOptions, type Decoding, decodeConfiguration } from '../config/decode.ts';
import { expressionsOf } from '../config/expressions.ts';
import { keepSingleLineFixes } from '../config/rules/single-line-fixes.ts';
import { validateConfiguration } from '../config/validate.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ConfigDocument } from '../documents/yaml/document.ts';
import { documentLimits, overLimit } from '../documents/yaml/limits.ts';
import type { ParseOptions } from '../documents/yaml/parse.ts';
import { apiDomains, kubernetesDomain } from '../model/api-domain.ts';
import { once } from '../source/once.ts';
import type { ResumableWork } from '../source/resumable-work.ts';
import type { SourceFile } from '../source/source-file.ts';
import { span } from '../source/span.ts';
import type { EntryContext } from './analyze-entry.ts';
import {
  compileCached,
  compileExpressions,
  type ExpressionCache,
  type PlacedExpression,
} from './compile-expressions.ts';
import { entryReader, placedExpressions, placedFindings } from './entry-list.ts';
import { withPaths, withSyntaxConsequences } from './field-paths.ts';
import type { AuthenticatorGraph, AuthenticatorNode, Origins } from './graph.ts';
import { type IncrementalState, readDocument, writableCache } from './incremental-state.ts';
import { originsOf } from './origins.ts';
import { withPlaceholderHelp } from './placeholder-help.ts';
import { type ServerReport, serverReport } from './server-report.ts';
import { type CompileSettings, defaultSettings, signingAlgorithms } from './settings.ts';
import { checkSettings } from './settings-findings.ts';

/**
 * A file to compile. Only `source` is required.
 *
 * @example
 * ```ts
 * const request: CompileRequest = { source: sourceFile('auth.yaml', text), limits: 'warn' };
 * ```
 */
export interface CompileRequest {
  readonly source: SourceFile;
  readonly settings?: CompileSettings;
  /**
   * What happens to a file that exceeds a limit of AuthGraph: `refuse` reports an error (for
   * servers), `warn` reports a warning and continues (for tools of a single user).
   */
  readonly limits?: 'refuse' | 'warn';
  /**
   * The previous compilation of the same file. Unchanged parts are reused; the result is the same
   * as without it.
   */
  readonly previous?: Pick<Compilation, 'incremental' | 'expressionCache'> | undefined;
}

/**
 * Everything that was understood of a configuration, however broken. All readers use this one
 * immutable value.
 *
 * @example
 * ```ts
 * const compilation: Compilation = compile({ source: sourceFile('auth.yaml', text) });
 * console.log(compilation.graph === undefined ? 'invalid' : 'valid');
 * ```
 */
export interface Compilation {
  readonly settings: CompileSettings;
  readonly document: ConfigDocument;
  /**
   * The typed configuration; partial where the file is wrong, `undefined` where it is not a map.
   */
  readonly configuration: AuthenticationConfiguration | undefined;
  /** Present exactly when no diagnostic is an error. */
  readonly graph: AuthenticatorGraph | undefined;
  readonly origins: Origins;
  /** All diagnostics, ordered by position. */
  readonly diagnostics: readonly Diagnostic[];
  /** The compiled expressions by field path. */
  readonly expressions: ReadonlyMap<string, PlacedExpression>;
  readonly expressionCache: ExpressionCache;
  /** State that the next compilation can reuse; only the compiler and the lints look inside. */
  readonly incremental: IncrementalState | undefined;
  readonly report: ServerReport;
}

/**
 * Compiles a file. Never throws for an invalid file: problems are in `diagnostics`.
 *
 * @example
 * ```ts
 * const { graph, diagnostics } = compile({ source: sourceFile('auth.yaml', text) });
 * ```
 */
export const compile = (request: CompileRequest): Compilation => {
  const settings = request.settings ?? defaultSettings;
  const previousState = request.previous?.incremental;
  const reading = readDocument(request.source, { limits: limitModeOf(request) }, previousState);
  const { document } = reading;
  const entries = entryReader(reading.split, {
    previous: previousState,
    settings,
    validation: validationSettings(settings),
    cache: writableCache(previousState, request.previous?.expressionCache),
  });
  // `entries.state()` is filled while `decode` runs.
  const decoding = decode(document, settings, { analyzeEntriesOf: entries.analyzeEntriesOf });
  const { configuration } = decoding;
  // The decoder has called `analyzeEntriesOf`: all entries are analyzed.
  const state = entries.state();
  const expressions =
    state === undefined
      ? compileExpressions(configuration, {
          release: settings.targetRelease,
          maxExpressions: settings.exact ? Number.POSITIVE_INFINITY : documentLimits.expressions,
          previous: request.previous?.expressionCache,
        })
      : placedExpressions(state);
  // Always an error: an expression that is not compiled cannot be evaluated.
  const tooMany = settings.exact
    ? []
    : overLimit('expressions', expressions.count, configuration?.version.span ?? span(0, 0));
  const place = { source: request.source, format: document.format };
  const validation = validateConfiguration(configuration, {
    ...validationSettings(settings),
    place,
    expressionAt: (path) => expressions.byPath.get(path),
    unread: decoding.unread,
    entryFindings: state === undefined ? undefined : (index) => placedFindings(state, index),
  });
  const unplaced = sortByPosition([
    ...document.diagnostics,
    ...tooMany,
    ...(document.failure === undefined ? decoding.diagnostics : []),
    ...checkSettings(configuration, settings, place),
    ...keepSingleLineFixes(
      validation.diagnostics.filter(
        (diagnostic) => document.failure === undefined || isCertain(diagnostic),
      ),
      document,
    ),
  ]);
  const diagnostics = withSyntaxConsequences(
    withPaths(withPlaceholderHelp(unplaced, request.source), document),
  );
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  const graph = once(() =>
    failed || configuration === undefined
      ? undefined
      : createGraph(
          configuration,
          settings,
          (index, entry) =>
            state?.analyses[index]?.node() ??
            compileJwt(entry, {
              path: `jwt[${index}]`,
              signingAlgorithms: settings.signingAlgorithms ?? signingAlgorithms,
              expressionAt: (path) => expressions.byPath.get(path)?.compilation,
            }),
        ),
  );
  const origins = once(() => originsOf(configuration));
  return {
    settings,
    document,
    configuration,
    get graph() {
      return graph();
    },
    get origins() {
      return origins();
    },
    diagnostics,
    get expressions() {
      return expressions.byPath;
    },
    expressionCache: expressions.cache,
    // The state of the last valid version is used again once a typing mistake is undone.
    incremental: state ?? previousState,
    report: serverReport(decoding, validation.errors),
  };
};

/**
 * Compiles from scratch like `compile`, one expression per step. The document is read twice, which
 * takes little time compared with the expressions.
 */
export function* compileSteps(
  request: Omit<CompileRequest, 'previous'>,
): ResumableWork<Compilation> {
  const settings = request.settings ?? defaultSettings;
  const { document } = readDocument(request.source, { limits: limitModeOf(request) }, undefined);
  yield;
  const { configuration } = decode(document, settings, {});
  const cache = writableCache(undefined, undefined);
  for (const expression of configuration === undefined ? [] : expressionsOf(configuration)) {
    yield;
    compileCached(expression, settings.targetRelease, cache);
  }
  yield;
  return compile({
    ...request,
    previous: { incremental: undefined, expressionCache: cache.results },
  });
}

const limitModeOf = ({ settings, limits }: CompileRequest): ParseOptions['limits'] =>
  settings?.exact === true ? 'none' : (limits ?? 'refuse');

const decode = (
  document: ConfigDocument,
  settings: CompileSettings,
  options: Pick<DecodeOptions, 'analyzeEntriesOf'>,
): Decoding =>
  decodeConfiguration(document, domainsOf(settings), {
    release: settings.targetRelease,
    ...options,
  });

/** Findings that are reported per file. Exact mode reports all of them, as kube-apiserver does. */
const maxFindings = 1000;

/**
 * API domains that the file may use. kube-apiserver accepts a single one; the product accepts both.
 */
const domainsOf = (settings: CompileSettings): readonly string[] => {
  const { apiDomain, fileDomain, exact } = settings;
  if (!exact && fileDomain !== undefined) return [fileDomain];
  if (!exact) return [...new Set([...apiDomains, ...(apiDomain === undefined ? [] : [apiDomain])])];
  return apiDomain === undefined ? [kubernetesDomain] : [kubernetesDomain, apiDomain];
};

/**
 * Whether a finding holds in a file with a syntax error. Only parts of such a file are known: a
 * field that seems to be missing may be in the broken part.
 */
const isCertain = ({ server }: Diagnostic): boolean => server?.type !== 'FieldValueRequired';

const sortByPosition = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);

const validationSettings = (settings: CompileSettings): EntryContext['validation'] => ({
  release: settings.targetRelease,
  featureGates: settings.featureGates,
  disallowedIssuers: settings.disallowedIssuers,
  reservedDomains: settings.exact ? [] : apiDomains.filter((domain) => domain !== kubernetesDomain),
  maxFindings: settings.exact ? Number.POSITIVE_INFINITY : maxFindings,
});

const createGraph = (
  configuration: AuthenticationConfiguration,
  settings: CompileSettings,
  nodeAt: (index: number, entry: JwtAuthenticatorConfig) => AuthenticatorNode,
): AuthenticatorGraph => ({
  apiDomain: (settings.exact ? undefined : settings.apiDomain) ?? configuration.domain,
  targetRelease: settings.targetRelease,
  nodes: configuration.jwt.map((entry, index) => nodeAt(index, entry)),
  anonymous: compileAnonymous(configuration.anonymous, settings.anonymousAuth),
});
