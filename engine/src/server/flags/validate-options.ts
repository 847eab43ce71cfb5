/**
 * Validates the flags, each alone and in combination. Error messages of kube-apiserver's flags are
 * kube-apiserver's.
 */

import { flags as oidcFlags } from '../../authenticators/jwt/config.ts';
import { incompleteOidc, oidcAndFile } from '../../authenticators/jwt/oidc-arguments.ts';
import type { FlagProblem, FlagValues } from '../../flags/flag.ts';
import { nearestName } from '../../flags/suggest.ts';
import {
  featureGates,
  gateState,
  isRemoved,
  readGates,
  structuredConfigurationGate,
} from '../../model/feature-gates.ts';
import { parseRelease, type Release, releaseName, supportedReleases } from '../../model/release.ts';
import {
  type StoreBackend,
  flags as storeFlags,
  validateStoreSettings,
} from '../../node/store/flags.ts';
import { validateRbacSettings } from '../../rbac/config.ts';
import { type ModuleRules, validateCompleted, validateModules } from '../modules/settings.ts';
import { controllerProblems } from './controller-names.ts';
import { leaderElectionProblems } from './leader-election-problems.ts';
import { readRuntimeConfig, runtimeConfigProblems } from './runtime-config.ts';
import { reviewerOf, type ServeOptions } from './serve-options.ts';
import { workerProblems } from './worker-problems.ts';

/** Returns all problems, in the order in which kube-apiserver reports them. */
export const validateOptions = (
  values: FlagValues,
  options: ServeOptions,
  serviceAccounts: ModuleRules['serviceAccounts'],
): readonly FlagProblem[] => {
  const problems: FlagProblem[] = [];
  const report = (message: string, help: string): void => {
    problems.push({ message, help });
  };
  // kube-apiserver reads feature gates before any other option.
  for (const error of readGates(values.list('feature-gates'), options.targetRelease).errors)
    report(error, gateHelp(error, options.targetRelease));
  problems.push(
    ...validateConcurrency(options),
    ...workerProblems(values.string('workers'), options),
  );
  const port = options.securePort;
  if (port < 1 || port > 65535)
    report(
      `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
      '',
    );
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined))
    report(
      'missing filename for serving cert',
      'Set --tls-cert-file and --tls-private-key-file together, or neither.',
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
    ...validateStoreSettings(options.store),
    ...unusedStoreFlags(values, options.store.backend.kind),
    ...validateRbacSettings(options.rbac),
  );
  problems.push(...validateCompleted(options.modules));
  for (const message of controllerProblems(options.controllers)) report(message, '');
  problems.push(...leaderElectionProblems(options.leaderElection));

  if (parseRelease(values.string('target-version')) === undefined)
    report(
      `invalid argument ${JSON.stringify(values.string('target-version'))} for "--target-version" flag: must be ${supportedReleases}`,
      '',
    );
  const { maxRequestsInFlight: readOnly, maxMutatingRequestsInFlight: mutating } = options;
  if (options.priorityAndFairness && readOnly + mutating <= 0)
    report(
      `invalid configuration: MaxRequestsInFlight=${readOnly} and MaxMutatingRequestsInFlight=${mutating}; they must add up to something positive`,
      'Raise --max-requests-inflight, or pass --enable-priority-and-fairness=false for no limit.',
    );
  for (const name of values.list('token-review-open'))
    if (reviewerOf(name) === undefined)
      report(
        `invalid argument ${JSON.stringify(name)} for "--token-review-open" flag: must be user:NAME or group:NAME`,
        'To allow every authenticated user, set group:system:authenticated.',
      );
  const webhookPath = options.webhook?.path;
  if (webhookPath !== undefined && !isFreePath(webhookPath))
    report(
      `invalid argument ${JSON.stringify(webhookPath)} for "--webhook-path" flag: must be a path that is not used otherwise`,
      'It must start with a slash, have no query and not belong to the API, such as /authenticate.',
    );
  return problems;
};

const validateConcurrency = (options: ServeOptions): readonly FlagProblem[] => {
  const messages = [
    ...(options.maxRequestsInFlight < 0
      ? ['--max-requests-inflight can not be negative value']
      : []),
    ...(options.maxMutatingRequestsInFlight < 0
      ? ['--max-mutating-requests-inflight can not be negative value']
      : []),
    ...(options.goawayChance < 0 || options.goawayChance > 0.02
      ? ['--goaway-chance can not be less than 0 or greater than 0.02']
      : []),
  ];
  return messages.map((message) => ({ message, help: '' }));
};

const gateHelp = (error: string, release: Release): string => {
  const locked = /^cannot set feature gate (?<name>\S+) to .* locked to true$/.exec(error)?.groups;
  if (locked !== undefined)
    return `${locked.name} is always on in ${releaseName(release)}. Remove it from --feature-gates.`;
  const name = /^unrecognized feature gate: (?<name>.*)$/.exec(error)?.groups?.name;
  if (name === undefined) return '';
  const known = 'Only authentication feature gates are supported.';
  const nearest = nearestName(
    name,
    featureGates.map((gate) => gate.name),
  );
  const near = featureGates.find((gate) => gate.name === nearest);
  if (near === undefined) return known;
  const { stage, locked: isLocked } = gateState(near, release);
  if (isLocked || isRemoved(near, release))
    return `${near.name} is always on in ${releaseName(release)}: remove the gate. ${known}`;
  // A suggestion must not be rejected itself.
  return stage === 'absent' ? known : `Did you mean ${near.name}? ${known}`;
};

const flagsOfStores = [
  { kind: 'sqlite', isItsOwn: /^store-path$/ },
  { kind: 'kubernetes', isItsOwn: /^store-kubeconfig$/ },
  { kind: 'etcd', isItsOwn: /^etcd-/ },
] as const;

/**
 * Rejects flags of a store that is not selected, so that objects are not stored in an unexpected
 * place.
 */
const unusedStoreFlags = (
  values: FlagValues,
  chosen: StoreBackend['kind'],
): readonly FlagProblem[] =>
  flagsOfStores.flatMap(({ kind, isItsOwn }) => {
    const setFlags = storeFlags.filter(
      ({ name, type }) =>
        isItsOwn.test(name) &&
        values.isSet(name) &&
        (type === 'stringSlice' ? values.list(name).length > 0 : values.string(name) !== ''),
    );
    if (kind === chosen || setFlags.length === 0) return [];
    const names = setFlags.map(({ name }) => `--${name}`).join(', ');
    return [
      {
        message: `${names}: only valid with --store=${kind}, but the store is ${chosen}`,
        help: `Remove the flags, or set --store=${kind}.`,
      },
    ];
  });

/** Reports whether a webhook path has exactly one spelling and does not belong to the API. */
const isFreePath = (path: string): boolean =>
  /^(?:\/[\w.~-]+)+$/.test(path) &&
  !/^\/(?:apis?|livez|readyz|healthz|metrics|version|openapi|openid|\.well-known)(?:\/|$)/.test(
    path,
  );

const validateOidc = (values: FlagValues, options: ServeOptions): readonly FlagProblem[] => {
  const problems: FlagProblem[] = [];
  const oidcGiven = oidcFlags.some(({ name }) => values.isSet(name));
  if (options.authenticationConfig === undefined) {
    if (oidcGiven && options.oidc === undefined) problems.push(incompleteOidc);
    return problems;
  }
  if (options.featureGates.get(structuredConfigurationGate) === false)
    problems.push({
      message: `set --feature-gates=${structuredConfigurationGate}=true to use authentication-config file`,
      help: '',
    });
  if (oidcGiven) problems.push(oidcAndFile);
  return problems;
};
