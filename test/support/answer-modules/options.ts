/** Answers cases about flags: parses, validates and compiles them, and links the authenticators. */
import { loadErrorText } from '../../../engine/src/cli/load-error-text.ts';
import { nodeIo } from '../../../engine/src/cli/node-io.ts';
import { servedConfiguration } from '../../../engine/src/cli/served-configuration.ts';
import { compile } from '../../../engine/src/compile/compile.ts';
import {
  type CompileSettings,
  signingAlgorithmError,
} from '../../../engine/src/compile/settings.ts';
import type { AuthenticationConfiguration } from '../../../engine/src/config/configuration.ts';
import { readBytes } from '../../../engine/src/documents/yaml/read-bytes.ts';
import { readSnapshot } from '../../../engine/src/node/files.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { fixedView } from '../../../engine/src/rbac/fixed-view.ts';
import { maxConfigurationFileBytes } from '../../../engine/src/server/configuration/reload.ts';
import type { ServingOptions } from '../../../engine/src/server/configuration/serving.ts';
import { readServeOptions, type ServeOptions } from '../../../engine/src/server/flags/options.ts';
import {
  authoritiesProblem,
  loadModules,
} from '../../../engine/src/server/modules/load-modules.ts';
import { type SourceFile, sourceFile } from '../../../engine/src/source/source-file.ts';
import { type CaseFolder, caseFolder, type FlagsConfig } from './case-folder.ts';
import { type GatedConfig, gateFlags } from './gates.ts';
import type { CaseLine } from './module-cases.ts';
import { recordedArgs } from './recorded-args.ts';

export type OptionsCase = CaseLine<FlagsConfig>;

/** The recorded server requires service accounts. */
export const answerOptions = async ({ config }: OptionsCase): Promise<object> => {
  const folder = caseFolder(config);
  try {
    return await answerStart(folder, config);
  } finally {
    folder.remove();
  }
};

/** kube-apiserver's scheme has the name of a line in its source. */
const realScheme = 'in scheme "pkg/runtime/scheme.go:111"';

/**
 * The recorded validation is that of the authentication flags; this message is from the server
 * around them.
 */
const otherMessage =
  'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds';

export interface StartAnswer {
  readonly flagError?: string;
  readonly validationErrors?: readonly string[];
  readonly configError?: string | undefined;
  readonly newError?: string;
  readonly anonymous?: object;
  readonly apiAudiences?: readonly string[] | null;
  readonly jwtCount?: number;
}

/** Runs each step of the startup, whatever the result of earlier ones; nothing is served. */
export const answerStart = async (
  { args: recorded, scrub: withoutFolder }: Pick<CaseFolder, 'args' | 'scrub'>,
  gated: GatedConfig,
  serviceAccounts: 'required' | 'optional' = 'required',
): Promise<StartAnswer> => {
  const scrub = (text: string): string =>
    withoutFolder(text).replace('in scheme "<scheme>"', realScheme);
  const { args, unknown } = recordedArgs(recorded);
  const own = ['--target-version=1.36', ...gateFlags(gated)];
  const reading = readServeOptions([...own, ...args], serviceAccounts);
  if (reading.kind === 'help') return { flagError: 'pflag: help requested' };
  if (reading.kind === 'problems' && reading.options === undefined) {
    return { flagError: scrub(reading.problems[0]?.message ?? '') };
  }
  if (unknown !== undefined) return { flagError: scrub(unknown) };
  const { options } = reading;
  if (options === undefined) throw new Error('unreachable: flags that could be read');
  const overlap = await authoritiesProblem(options.modules);
  const problems = reading.kind === 'problems' ? reading.problems : [];
  const messages = problems.map(({ message }) => message).filter((text) => text !== otherMessage);
  const validationErrors = overlap === undefined ? messages : [...messages, overlap];
  return {
    validationErrors: validationErrors.map(scrub),
    ...(await authenticatorsOf(options, scrub)),
  };
};

interface Checked {
  readonly configuration: AuthenticationConfiguration;
  readonly settings: CompileSettings;
  readonly source: SourceFile;
}

const authenticatorsOf = async (
  options: ServeOptions,
  scrub: (text: string) => string,
): Promise<StartAnswer> => {
  let checked: Checked | undefined;
  const ports = nodePorts();
  const loading = await loadModules(
    options.modules,
    {
      ports,
      mode: 'exact',
      gates: options.featureGates,
      apiAudiences: options.apiAudiences,
    },
    {
      async check() {
        const outcome = await check(options);
        if (typeof outcome === 'string') return { kind: 'failed', error: outcome };
        checked = outcome;
        return { kind: 'good', apiDomain: outcome.configuration.domain };
      },
      create: async () => (checked === undefined ? undefined : creationProblem(options, checked)),
    },
  );
  if (loading.kind === 'loaded') {
    const { flagModules } = loading.link({ objects: fixedView([]) });
    const all = [
      ...flagModules.certificateModules,
      ...flagModules.tokensBeforeJwt,
      ...flagModules.tokensAfterJwt,
    ];
    for (const { authenticator } of all) await authenticator.close?.();
  }
  await ports.http.close();
  // kube-apiserver stops at the first one.
  const failure = loading.kind === 'failed' ? loading.failures[0] : undefined;
  const error = failure && scrub(failure.error);
  if (checked === undefined || failure?.phase === 'configuration') return { configError: error };
  return {
    anonymous: anonymousOf(options, checked),
    apiAudiences: options.apiAudiences.length === 0 ? null : options.apiAudiences,
    jwtCount: checked.configuration.jwt.length,
    ...(error === undefined ? {} : { newError: error }),
  };
};

const check = async (options: ServeOptions): Promise<Checked | string> => {
  // The values that the flag may have are checked later.
  const lenient =
    options.oidc === undefined
      ? options
      : { ...options, oidc: { ...options.oidc, signingAlgorithms: [] } };
  const served = await servedConfiguration(lenient, nodeIo());
  if (served.kind === 'problem') return served.problems[0].message;
  const settings = { ...served.settings, disallowedIssuers: [], exact: true };
  const source = await sourceOf(served.source);
  if (typeof source === 'string')
    return `failed to load authentication configuration from file ${JSON.stringify(options.authenticationConfig)}: ${source}`;
  const { configuration, diagnostics } = compile({ source, settings });
  // kube-apiserver looks up the network when it creates the authenticator.
  const early = diagnostics.filter(
    ({ severity, name }) => severity === 'error' && name !== 'egress-lookup-missing',
  );
  if (early.length > 0 || configuration === undefined)
    return loadErrorText({ source, diagnostics }, { ...served, settings });
  return { configuration, settings, source };
};

const sourceOf = async (source: ServingOptions['configuration']): Promise<SourceFile | string> => {
  if (source.kind === 'text') return sourceFile(source.name, source.text);
  const reading = await readSnapshot(source.path, { maxBytes: maxConfigurationFileBytes });
  return reading.kind === 'unreadable'
    ? reading.reason
    : sourceFile(source.path, readBytes(reading.bytes).text);
};

const creationProblem = (
  options: ServeOptions,
  { source, settings }: Checked,
): string | undefined => {
  const disallowedIssuers = options.modules.serviceAccounts.issuers;
  const all = { ...settings, disallowedIssuers };
  const { graph, diagnostics } = compile({ source, settings: all });
  if (graph === undefined) {
    const configuration = { kind: 'text', name: source.uri, text: source.text } as const;
    return loadErrorText(
      { source, diagnostics },
      { kind: 'configuration', source: configuration, settings: all },
    );
  }
  return options.oidc === undefined
    ? undefined
    : signingAlgorithmError(options.oidc.signingAlgorithms);
};

const anonymousOf = (options: ServeOptions, { configuration, source }: Checked): object => {
  const { anonymous } = configuration;
  if (anonymous === undefined) return { Enabled: options.anonymousAuth ?? true, Conditions: null };
  const conditions = anonymous.conditions.map(({ path }) => ({ Path: path?.value ?? '' }));
  // AuthGraph does not distinguish an absent list from an empty one.
  const { start, end } = anonymous.span;
  const isList = /\bconditions["']?\s*:\s*\[/.test(source.text.slice(start, end));
  const isNone = conditions.length === 0 && !isList;
  return { Enabled: anonymous.enabled, Conditions: isNone ? null : conditions };
};
