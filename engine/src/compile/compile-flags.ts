/**
 * Compiles the `--oidc-*` flags of kube-apiserver in files of kubeadm, kind, k3s, RKE2 or in a pod
 * manifest. The configuration that they stand for is written and compiled like a file.
 */
import {
  incompleteOidc,
  type OidcArgument,
  oidcAndFile,
  readOidcArguments,
} from '../authenticators/jwt/oidc-arguments.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../diagnostics/rule.ts';
import type { DataNode } from '../documents/yaml/data.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import { type Compilation, compile } from './compile.ts';
import {
  type FlagInFile,
  type FlagsInDocument,
  flagsByDocument,
  oidcFlagsOf,
} from './flags-in-file.ts';
import {
  type CompileSettings,
  emptyConfigurationText,
  oidcConfigurationText,
  signingAlgorithmError,
} from './settings.ts';
import { rejectedOidcFlags } from './settings-findings.ts';

/** The flags of one document, and the configuration that they stand for. */
export interface CompiledFlags {
  /** The flags in the order of the text. */
  readonly flags: readonly FlagInFile[];
  /** The configuration, which was written from the flags. It has no graph if they are rejected. */
  readonly compilation: Compilation;
  /** Errors of kube-apiserver about the flags themselves, at their positions. */
  readonly rejections: readonly Diagnostic[];
  /** Returns the position of the flag from which a part of the configuration was written. */
  toFile(own: Span): Span;
  /** Moves a diagnostic of the configuration to its flag; none if no flag is the cause. */
  diagnosticOfFlag(diagnostic: Diagnostic): readonly Diagnostic[];
}

/**
 * Returns one result for each document whose flags name an issuer and a client ID, or are certainly
 * those of kube-apiserver.
 */
export const compileFlags = (
  file: SourceFile,
  settings: CompileSettings,
): readonly CompiledFlags[] =>
  flagsByDocument(file).flatMap((document) => compileDocument(document, file.uri, settings));

const compileDocument = (
  { flags, others, ofServer }: FlagsInDocument,
  uri: string,
  settings: CompileSettings,
): readonly CompiledFlags[] => {
  const { settings: oidc } = readOidcArguments(flags);
  const [first] = oidcFlagsOf(flags);
  if (first === undefined || (oidc === undefined && !ofServer)) return [];
  const algorithms = oidc?.signingAlgorithms ?? [];
  const text =
    oidc === undefined
      ? emptyConfigurationText(settings.targetRelease)
      : // The file with the authorities is on the node.
        oidcConfigurationText({ ...oidc, certificateAuthority: undefined }, settings.targetRelease);
  const compilation = compile({
    source: sourceFile(uri, text),
    settings: {
      ...settings,
      signingAlgorithms: algorithms.length === 0 ? ['RS256'] : algorithms,
      ...others,
      // The user writes no API version.
      fileDomain: undefined,
    },
  });
  const rejections = rejectedFlags(flags, algorithms);
  const spanAt = flagFinder(compilation, flags);
  return [
    {
      flags,
      compilation: rejections.length === 0 ? compilation : { ...compilation, graph: undefined },
      rejections,
      toFile: (own) => spanAt(own) ?? first.span,
      diagnosticOfFlag(diagnostic) {
        const span = oidc === undefined ? undefined : spanAt(diagnostic.span);
        // The fixes and the related places belong to a text that the user does not see.
        return span === undefined
          ? []
          : [{ ...diagnostic, span, help: helpAt(diagnostic), related: [], fixes: [] }];
      },
    },
  ];
};

/** Returns what kube-apiserver reports at its start before it validates the configuration. */
const rejectedFlags = (
  flags: readonly FlagInFile[],
  algorithms: readonly string[],
): readonly Diagnostic[] => {
  const own = oidcFlagsOf(flags);
  const last = (name: string): FlagInFile | undefined => own.findLast((flag) => flag.name === name);
  const report = (
    flag: FlagInFile | undefined,
    problem: { readonly message: string; readonly help: string },
  ): readonly Diagnostic[] =>
    flag === undefined ? [] : [diagnosticOf(rejectedOidcFlags, flag.span, problem)];
  const isSet = (name: string): boolean => (last(name)?.value ?? '') !== '';
  const isComplete = isSet('oidc-issuer-url') && isSet('oidc-client-id');
  const message = signingAlgorithmError(algorithms);
  return [
    ...own.flatMap((flag) => problemsOf(flag).flatMap((problem) => report(flag, problem))),
    ...(isComplete ? [] : report(own[0], incompleteOidc)),
    ...(own.length === flags.length ? [] : report(own[0], oidcAndFile)),
    ...(message === undefined
      ? []
      : report(last('oidc-signing-algs') ?? own[0], { message, help: algorithmHelp })),
  ];
};

const problemsOf = (flag: OidcArgument) => readOidcArguments([flag]).problems;

const algorithmHelp = 'Use RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512.';

/**
 * Returns a function that finds the flag from which a part of the configuration was written;
 * `undefined` for parts that no flag determines, such as the version.
 */
const flagFinder = (
  { document: { data } }: Compilation,
  flags: readonly FlagInFile[],
): ((own: Span) => Span | undefined) => {
  const spanOf = (name: string): Span | undefined =>
    flags.findLast((flag) => flag.name === name)?.span;
  return ({ start }) => {
    const [section, ...fields] = fieldsAt(data, start);
    if (section !== 'jwt') return undefined;
    const spans = fields
      .flatMap((_, index) => flagsByField.get(fields.slice(0, index + 1).join('.')) ?? [])
      .map(spanOf);
    return spans.findLast((flagSpan) => flagSpan !== undefined) ?? spanOf('oidc-issuer-url');
  };
};

/** The flags that determine a field, the most important one last. */
const flagsByField: ReadonlyMap<string, readonly string[]> = new Map([
  ['issuer.url', ['oidc-issuer-url']],
  ['issuer.audiences', ['oidc-client-id']],
  ['claimValidationRules', ['oidc-required-claim']],
  ['claimMappings.username', ['oidc-username-prefix', 'oidc-username-claim']],
  ['claimMappings.username.prefix', ['oidc-username-prefix']],
  ['claimMappings.groups', ['oidc-groups-claim']],
  ['claimMappings.groups.prefix', ['oidc-groups-prefix']],
]);

/** Flags cannot express rules. */
const helpAt = ({ help }: Diagnostic): string =>
  /\brule\b/.test(help)
    ? `${help}. Flags cannot express rules: authgraph migrate FILE writes the configuration file that replaces them.`
    : help;

/** Returns the names of the fields around an offset, the outermost first. */
const fieldsAt = (node: DataNode | undefined, offset: number): readonly string[] => {
  const contains = ({ start, end }: Span): boolean => start <= offset && offset < end;
  if (node?.kind === 'array')
    return fieldsAt(
      node.items.find((item) => contains(item.span)),
      offset,
    );
  if (node?.kind !== 'object') return [];
  const entry = node.entries.find(({ keySpan, value }) =>
    contains({ start: keySpan.start, end: value.span.end }),
  );
  return entry === undefined ? [] : [entry.key, ...fieldsAt(entry.value, offset)];
};
