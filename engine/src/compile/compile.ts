/**
 * The whole staircase: text -> document -> configuration -> checked configuration -> graph. Pure, and
 * never at a loss: whatever the text, there is a Compilation, with as much as could be understood.
 */
import { compileAnonymous } from '../authenticators/anonymous/compile.ts';
import { compileJwt } from '../authenticators/jwt/compile.ts';
import type { AuthenticationConfiguration } from '../config/configuration.ts';
import { decodeConfiguration } from '../config/decode.ts';
import { validateConfiguration } from '../config/validate.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ConfigDocument } from '../documents/document.ts';
import { documentLimits, overLimit } from '../documents/limits.ts';
import { parseDocument } from '../documents/parse.ts';
import { apiDomains, kubernetesDomain } from '../model/api-domain.ts';
import { historyOf } from '../model/release.ts';
import type { SourceFile } from '../source/source-file.ts';
import { span } from '../source/span.ts';
import {
  compileExpressions,
  type ExpressionCache,
  type PlacedExpression,
} from './compile-expressions.ts';
import type { AuthenticatorGraph, Origins } from './graph.ts';
import { originsOf } from './origins.ts';
import { type ServerReport, serverReport } from './server-report.ts';
import { type CompileSettings, defaultSettings, signingAlgorithms } from './settings.ts';
import { checkSettings } from './settings-findings.ts';

export interface CompileRequest {
  readonly source: SourceFile;
  readonly settings?: CompileSettings;
  /**
   * What a limit of AuthGraph does to a file over it: processes that serve others refuse the file,
   * tools that serve one person warn and read on.
   */
  readonly limits?: 'refuse' | 'warn';
  /** The last compilation of the same file: unchanged expressions are not compiled again. */
  readonly previous?: Compilation | undefined;
}

export interface Compilation {
  readonly settings: CompileSettings;
  readonly document: ConfigDocument;
  /** Partial where the file is wrong; `undefined` where it is no map. */
  readonly configuration: AuthenticationConfiguration | undefined;
  /** Present exactly when no diagnostic is an error. */
  readonly graph: AuthenticatorGraph | undefined;
  readonly origins: Origins;
  /** In the order of their places. */
  readonly diagnostics: readonly Diagnostic[];
  /** By the path of the field. */
  readonly expressions: ReadonlyMap<string, PlacedExpression>;
  readonly expressionCache: ExpressionCache;
  readonly report: ServerReport;
}

export const compile = (request: CompileRequest): Compilation => {
  const settings = request.settings ?? defaultSettings;
  const limits = settings.exact ? 'none' : (request.limits ?? 'refuse');
  const document = parseDocument(request.source, { limits });
  const { since } = historyOf('version v1');
  const newest = settings.targetRelease < since ? 'v1beta1' : 'v1';
  const decoding = decodeConfiguration(document, domainsOf(settings), newest);
  const { configuration } = decoding;
  const expressions = compileExpressions(configuration, {
    release: settings.targetRelease,
    most: settings.exact ? Number.POSITIVE_INFINITY : documentLimits.expressions,
    previous: request.previous?.expressionCache,
  });
  // Never a warning: an expression that was not compiled could not decide.
  const tooMany = settings.exact
    ? []
    : overLimit('expressions', expressions.wanted, configuration?.version.span ?? span(0, 0));
  const validation = validateConfiguration(configuration, {
    place: { source: request.source, format: document.format },
    release: settings.targetRelease,
    featureGates: settings.featureGates,
    disallowedIssuers: settings.disallowedIssuers,
    reservedDomains: settings.exact
      ? []
      : apiDomains.filter((domain) => domain !== kubernetesDomain),
    expressionAt: (path) => expressions.byPath.get(path),
    unread: decoding.unread,
    mostFindings: settings.exact ? Number.POSITIVE_INFINITY : mostFindings,
  });
  const diagnostics = sorted([
    ...document.diagnostics,
    ...tooMany,
    ...(document.failure === undefined ? decoding.diagnostics : []),
    ...checkSettings(configuration, settings),
    ...validation.diagnostics.filter((found) => document.failure === undefined || isCertain(found)),
  ]);
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return {
    settings,
    document,
    configuration,
    graph:
      failed || configuration === undefined
        ? undefined
        : graphOf(configuration, settings, (path) => expressions.byPath.get(path)),
    origins: originsOf(configuration),
    diagnostics,
    expressions: expressions.byPath,
    expressionCache: expressions.cache,
    report: serverReport(decoding, validation.errors),
  };
};

/** Nobody reads more; the real server lists all, and so does exact mode. */
const mostFindings = 1000;

/** The real server knows one domain; the product takes both. */
const domainsOf = (settings: CompileSettings): readonly string[] => {
  const { apiDomain, exact } = settings;
  if (!exact) return [...new Set([...apiDomains, ...(apiDomain === undefined ? [] : [apiDomain])])];
  return apiDomain === undefined ? [kubernetesDomain] : [kubernetesDomain, apiDomain];
};

/**
 * Of a file with a syntax error only parts are known: what seems to be missing may be there, what
 * seems to be unknown may be a piece of something else.
 */
const isCertain = ({ server }: Diagnostic): boolean => server?.type !== 'FieldValueRequired';

const sorted = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);

const graphOf = (
  configuration: AuthenticationConfiguration,
  settings: CompileSettings,
  placedAt: (path: string) => PlacedExpression | undefined,
): AuthenticatorGraph => ({
  apiDomain: (settings.exact ? undefined : settings.apiDomain) ?? configuration.domain,
  targetRelease: settings.targetRelease,
  nodes: configuration.jwt.map((entry, index) =>
    compileJwt(entry, {
      path: `jwt[${index}]`,
      signingAlgorithms: settings.signingAlgorithms ?? signingAlgorithms,
      expressionAt: (path) => placedAt(path)?.compilation,
    }),
  ),
  anonymous: compileAnonymous(configuration.anonymous, settings.anonymousAuth),
});
