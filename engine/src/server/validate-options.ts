/** What flags may not say, alone and together; texts are the real server's. */
import { featureGates, readGates, structuredConfigurationGate } from '../model/feature-gates.ts';
import type { FlagProblem, FlagValues } from '../model/flag.ts';
import { knownReleases, oldestRelease, parseRelease, releaseName } from '../model/release.ts';
import { type StorePlace, flags as storeFlags, validateStore } from '../node/store/flags.ts';
import { validateRbac } from '../rbac/config.ts';
import { type ModuleRules, validateCompleted, validateModules } from './modules/settings.ts';
import { nearestName } from './parse-flags.ts';
import { readRuntimeConfig, runtimeConfigProblems } from './runtime-config.ts';
import { serveFlags } from './serve-flags.ts';
import { reviewerOf, type ServeOptions } from './serve-options.ts';

/** Every contradiction, in the order in which the real server reports them. */
export const validateOptions = (
  values: FlagValues,
  options: ServeOptions,
  serviceAccounts: ModuleRules['serviceAccounts'],
): readonly FlagProblem[] => {
  const problems: FlagProblem[] = [];
  const say = (message: string, help: string): void => {
    problems.push({ message, help });
  };
  // The real server reads gates before it looks at any other option.
  for (const error of readGates(values.list('feature-gates'), options.targetRelease).errors)
    say(error, gateHelp(error));
  const port = options.securePort;
  if (port < 1 || port > 65535)
    say(
      `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
      '',
    );
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined))
    say(
      'missing filename for serving cert',
      'Give --tls-cert-file and --tls-private-key-file together, or neither.',
    );
  problems.push(
    ...validateOidc(values, options),
    ...validateModules(options.modules, { gates: options.featureGates, serviceAccounts }),
  );
  problems.push(
    ...runtimeConfigProblems(
      readRuntimeConfig(values.list('runtime-config')),
      options.targetRelease,
    ),
    ...validateStore(options.store),
    ...idleStoreFlags(values, options.store.place.kind),
    ...validateRbac(options.rbac),
  );
  problems.push(...validateCompleted(options.modules));

  if (parseRelease(values.text('target-version')) === undefined)
    say(
      `invalid argument ${JSON.stringify(values.text('target-version'))} for "--target-version" flag: must be ${knownReleases}`,
      '',
    );
  for (const name of values.list('token-review-open'))
    if (reviewerOf(name) === undefined)
      say(
        `invalid argument ${JSON.stringify(name)} for "--token-review-open" flag: must be user:NAME or group:NAME`,
        'To let every authenticated user ask, write group:system:authenticated.',
      );
  const webhookPath = options.webhook?.path;
  if (webhookPath !== undefined && !isFreePath(webhookPath))
    say(
      `invalid argument ${JSON.stringify(webhookPath)} for "--webhook-path" flag: must be a path of its own`,
      'It begins with a slash, has no query, and nothing else is served there: /authenticate.',
    );
  return problems;
};

/** For a gate that nobody has, or has any more. */
const gateHelp = (error: string): string => {
  const name = /^unrecognized feature gate: (?<name>.*)$/.exec(error)?.groups?.name;
  if (name === undefined) return '';
  if (name === 'APISelfSubjectReview')
    return `No release from ${releaseName(oldestRelease)} on has it: every authenticated user may ask for their own review, by the role system:basic-user. Drop it.`;
  const near = nearestName(
    name,
    featureGates.map((gate) => gate.name),
  );
  const known = 'Only gates of the authentication stage are known here.';
  return near === undefined || near === name ? known : `Did you mean ${near}? ${known}`;
};

const flagsOfStores = [
  { kind: 'sqlite', isItsOwn: /^store-path$/ },
  { kind: 'kubernetes', isItsOwn: /^store-kubeconfig$/ },
  { kind: 'etcd', isItsOwn: /^etcd-/ },
] as const;

/** A server that keeps its objects elsewhere than a flag says must not start as if all were well. */
const idleStoreFlags = (values: FlagValues, chosen: StorePlace['kind']): readonly FlagProblem[] =>
  flagsOfStores.flatMap(({ kind, isItsOwn }) => {
    const given = storeFlags.filter(
      ({ name, type }) =>
        isItsOwn.test(name) &&
        values.given(name) &&
        (type === 'stringSlice' ? values.list(name).length > 0 : values.text(name) !== ''),
    );
    if (kind === chosen || given.length === 0) return [];
    const names = given.map(({ name }) => `--${name}`).join(', ');
    return [
      {
        message: `${names}: only with --store=${kind}, and the store is ${chosen}`,
        help: `Drop what is not meant, or choose --store=${kind}.`,
      },
    ];
  });

/** Plain, so that it has one spelling, and not one of the API's own. */
const isFreePath = (path: string): boolean =>
  /^(?:\/[\w.~-]+)+$/.test(path) &&
  !/^\/(?:apis?|livez|readyz|healthz|metrics|version|openapi|openid|\.well-known)(?:\/|$)/.test(
    path,
  );

const oidcFlags = serveFlags.filter(({ name }) => name.startsWith('oidc-'));

const validateOidc = (values: FlagValues, options: ServeOptions): readonly FlagProblem[] => {
  const problems: FlagProblem[] = [];
  const oidcGiven = oidcFlags.some(({ name }) => values.given(name));
  if (options.authenticationConfig === undefined) {
    if (oidcGiven && options.oidc === undefined)
      problems.push({
        message:
          'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
        help: 'Give both, or none of the --oidc-* flags.',
      });
    return problems;
  }
  if (options.featureGates.get(structuredConfigurationGate) === false)
    problems.push({
      message: `set --feature-gates=${structuredConfigurationGate}=true to use authentication-config file`,
      help: '',
    });
  if (oidcGiven)
    problems.push({
      message: 'authentication-config file and oidc-* flags are mutually exclusive',
      help: 'Write the issuer as a jwt entry of the file and drop the --oidc-* flags.',
    });
  return problems;
};
