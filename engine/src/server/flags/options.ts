/** Reads the options of `authgraph serve` from its flags. */

import { availableParallelism } from 'node:os';
import { oidcWarnings, readOidc } from '../../authenticators/jwt/config.ts';
import type { LeaderElectionTiming } from '../../controllers/leader-election.ts';
import type { FlagProblem, FlagValues } from '../../flags/flag.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { readGates } from '../../model/feature-gates.ts';
import { newestRelease, parseRelease, type Release } from '../../model/release.ts';
import { readStoreSettings } from '../../node/store/flags.ts';
import { readRbacSettings } from '../../rbac/config.ts';
import { webhookReasons } from '../endpoints/webhook-reasons.ts';
import { connectionLimits } from '../limits.ts';
import { readModules } from '../modules/settings.ts';
import { mostWorkers } from '../workers/divide-limits.ts';
import { workersInMemory } from '../workers/worker-memory.ts';
import { missingFlagHelp } from './missing-flags.ts';
import { readRuntimeConfig, servesBetaReviews } from './runtime-config.ts';
import { loggingFormats, logLevels, serveFlags } from './serve-flags.ts';
import { type Http2Options, reviewerOf, type ServeOptions } from './serve-options.ts';
import { validateOptions } from './validate-options.ts';

export type { ReviewerName, ServeOptions } from './serve-options.ts';

export type OptionsReading =
  | { readonly kind: 'options'; readonly options: ServeOptions }
  | {
      readonly kind: 'help';
      /** The topic of `--help=TOPIC`; empty without one. */
      readonly topic: string;
    }
  | {
      readonly kind: 'problems';
      readonly problems: readonly FlagProblem[];
      /** Present if every flag could be parsed, so that further checks are possible. */
      readonly options?: ServeOptions;
    };

/**
 * Returns the options without any flag.
 *
 * @example
 * ```ts
 * const options = { ...defaultServeOptions(), securePort: 8443 };
 * ```
 */
export const defaultServeOptions = (): ServeOptions =>
  optionsOf(parseFlags(serveFlags, []).values, newestRelease);

/**
 * Reads the arguments after `serve`. All problems are reported, in kube-apiserver's order.
 *
 * @example
 * ```ts
 * const reading = readServeOptions(['--authentication-config', 'auth.yaml']);
 * ```
 */
export const readServeOptions = (
  args: readonly string[],
  serviceAccounts: 'required' | 'optional' = 'optional',
): OptionsReading => {
  const parsed = parseFlags(serveFlags, args, {
    helpElsewhere: missingFlagHelp,
    noOperands: {
      command: 'serve',
      help: 'Specify the configuration with --authentication-config FILE.',
    },
  });
  if (parsed.help) return { kind: 'help', topic: parsed.helpTopic };
  if (parsed.problems.length > 0) return { kind: 'problems', problems: parsed.problems };
  const release = parseRelease(parsed.values.string('target-version'));
  const options = optionsOf(parsed.values, release ?? newestRelease);
  const problems = validateOptions(parsed.values, options, serviceAccounts);
  return problems.length > 0
    ? { kind: 'problems', problems, options }
    : { kind: 'options', options };
};

const optionsOf = (values: FlagValues, targetRelease: Release): ServeOptions => {
  const { gates, warnings } = readGates(values.list('feature-gates'), targetRelease);
  const path = (name: string): string | undefined => values.string(name) || undefined;
  const modules = readModules(values);
  const audiences = values.list('api-audiences');
  return {
    authenticationConfig: path('authentication-config'),
    oidc: readOidc(values),
    anonymousAuth: values.isSet('anonymous-auth') ? values.bool('anonymous-auth') : undefined,
    apiAudiences: audiences.length === 0 ? modules.serviceAccounts.issuers : audiences,
    modules,
    store: readStoreSettings(values),
    rbac: readRbacSettings(values),
    controllers: values.list('controllers'),
    leaderElection: values.bool('leader-elect') ? leaderElectionOf(values) : undefined,
    rootCaFile: path('root-ca-file'),
    featureGates: gates,
    warnings: [...warnings, ...oidcWarnings(values), ...exposureWarnings(values)],
    betaReviews: servesBetaReviews(readRuntimeConfig(values.list('runtime-config')), targetRelease),
    targetRelease,
    apiDomain: path('api-domain'),
    bindAddress: values.string('bind-address'),
    securePort: values.number('secure-port'),
    tlsCertFile: path('tls-cert-file'),
    tlsPrivateKeyFile: path('tls-private-key-file'),
    http2: http2Of(values),
    shutdownGraceMs: values.number('shutdown-grace'),
    workers: workersOf(values),
    maxRequestsInFlight: values.number('max-requests-inflight'),
    maxMutatingRequestsInFlight: values.number('max-mutating-requests-inflight'),
    priorityAndFairness: values.bool('enable-priority-and-fairness'),
    goawayChance: values.number('goaway-chance'),
    tokenReviewOpen: values.list('token-review-open').flatMap((text) => reviewerOf(text) ?? []),
    webhook: webhookOf(values),
    jwksRefetch: values.string('jwks-refetch') === 'per-token' ? 'per-token' : 'throttled',
    jwksCacheDir: path('jwks-cache-dir'),
    decisionLog: path('decision-log'),
    decisionLogGroups: values.bool('decision-log-groups'),
    decisionLogExtra: values.bool('decision-log-extra'),
    decisionLogClaims: claimsOf(values.string('decision-log-claims')),
    decisionLogClaimValues: values.list('decision-log-claim-values'),
    decisionLogClaimsKeyFile: path('decision-log-claims-key-file'),
    color: values.string('color'),
    loggingFormat: loggingFormats.find((format) => format === values.string('logging-format')),
    logLevel: logLevels.find((level) => level === values.string('log-level')) ?? 'info',
  };
};

const claimsOf = (text: string): ServeOptions['decisionLogClaims'] =>
  text === 'shape' || text === 'masked' ? text : 'none';

const leaderElectionOf = (values: FlagValues): LeaderElectionTiming => ({
  leaseDurationMs: values.number('leader-elect-lease-duration'),
  renewDeadlineMs: values.number('leader-elect-renew-deadline'),
  retryPeriodMs: values.number('leader-elect-retry-period'),
});

/** Returns the number of workers; `auto` never exceeds a limit that has to be divided. */
const workersOf = (values: FlagValues): number => {
  const text = values.string('workers');
  if (text !== 'auto') return /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const limit = mostWorkers({
    maxRequestsInFlight: values.number('max-requests-inflight'),
    maxMutatingRequestsInFlight: values.number('max-mutating-requests-inflight'),
    priorityAndFairness: values.bool('enable-priority-and-fairness'),
  });
  return Math.max(1, Math.min(availableParallelism(), limit, workersInMemory()));
};

/** Warns about a server that is reachable by default, with a certificate that no client can verify. */
const exposureWarnings = (values: FlagValues): readonly string[] =>
  values.isSet('bind-address') || values.string('tls-cert-file') !== ''
    ? []
    : [
        'the server listens on every address with a self-signed certificate, which clients cannot verify: set --tls-cert-file and --tls-private-key-file, or --bind-address=127.0.0.1 for tests on this machine',
      ];

/** kube-apiserver reads zero and negative numbers as its default, and converts others to 32 bits. */
const http2Of = (values: FlagValues): Http2Options => {
  if (values.bool('disable-http2-serving')) return 'disabled';
  const streams = values.number('http2-max-streams-per-connection');
  return {
    maxStreams: streams > 0 ? Math.min(streams, 0xffff_ffff) : connectionLimits.concurrentStreams,
  };
};

const webhookOf = (values: FlagValues): ServeOptions['webhook'] => {
  const path = values.string('webhook-path');
  const reasons = webhookReasons.find((name) => name === values.string('webhook-reasons'));
  return path === '' ? undefined : { path, reasons: reasons ?? 'rules' };
};
