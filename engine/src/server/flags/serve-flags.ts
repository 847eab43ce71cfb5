/**
 * The flags of `authgraph serve`. Names, types and defaults of kube-apiserver's flags are
 * unchanged; each module has a table of its own.
 */

import type { FlagRow } from '../../flags/flag.ts';
import { apiDomains } from '../../model/api-domain.ts';
import { newestRelease, releaseName, releases, supportedReleases } from '../../model/release.ts';
import { flags as storeFlags } from '../../node/store/flags.ts';
import { flags as rbacFlags } from '../../rbac/config.ts';
import { webhookReasons } from '../endpoints/webhook-reasons.ts';
import { moduleFlags } from '../modules/settings.ts';
import { defaultControllers, implementedControllers } from './controller-names.ts';

export const loggingFormats = ['json', 'text'] as const;
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;

const authenticationFlags: readonly FlagRow[] = [
  {
    name: 'authentication-config',
    alias: 'config',
    shorthand: 'c',
    group: 'Authentication',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the AuthenticationConfiguration, or an artifact written by `authgraph compile`. Mutually exclusive with the --oidc-* flags, and with --anonymous-auth if the file has an anonymous section.',
  },
  {
    name: 'anonymous-auth',
    group: 'Authentication',
    type: 'bool',
    default: 'true',
    doc: 'Enables anonymous requests. Requests that are not rejected by another authentication method are treated as anonymous requests, with the username system:anonymous and the group system:unauthenticated.',
  },
  {
    name: 'api-audiences',
    group: 'Authentication',
    type: 'stringSlice',
    default: '[]',
    doc: 'Identifiers of the API. The service account token authenticator will validate that tokens used against the API are bound to at least one of these audiences. Default: the values of --service-account-issuer.',
  },
  {
    name: 'feature-gates',
    group: 'Authentication',
    type: 'colonSeparatedMultimapStringString',
    default: '',
    doc: 'Comma-separated list of key=value pairs that describe feature gates; may be repeated.',
  },
  {
    name: 'runtime-config',
    group: 'Authentication',
    type: 'stringArray',
    default: '[]',
    doc: 'A set of key=value pairs that enable or disable built-in APIs, comma-separated; may be repeated. authentication.k8s.io/v1beta1=true enables its SelfSubjectReview up to --target-version 1.32; groups that are not served have no effect.',
  },
  {
    name: 'target-version',
    group: 'Authentication',
    type: 'string',
    default: releaseName(newestRelease),
    suggestions: releases.map(releaseName),
    doc: `Release of kube-apiserver to emulate, ${supportedReleases}.`,
  },
  {
    name: 'api-domain',
    group: 'Authentication',
    type: 'string',
    choices: ['', ...apiDomains],
    default: '',
    doc: 'API domain of names that do not depend on the request: platform.io or k8s.io. Default: the domain of the configuration file at the start.',
  },
];

const serverFlags: readonly FlagRow[] = [
  {
    name: 'bind-address',
    group: 'Serving',
    type: 'ip',
    default: '0.0.0.0',
    doc: 'The IP address on which to listen.',
  },
  {
    name: 'secure-port',
    group: 'Serving',
    type: 'int',
    default: '6443',
    doc: 'The port on which to serve HTTPS with authentication and authorization.',
  },
  {
    name: 'tls-cert-file',
    group: 'Serving',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File containing the x509 certificate for HTTPS, with its chain. Default: a self-signed certificate generated at the start.',
  },
  {
    name: 'tls-private-key-file',
    group: 'Serving',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File containing the x509 private key matching --tls-cert-file.',
  },
  {
    name: 'disable-http2-serving',
    group: 'Serving',
    type: 'bool',
    default: 'false',
    doc: 'If true, HTTP2 serving will be disabled: clients are offered HTTP/1.1 only.',
  },
  {
    name: 'http2-max-streams-per-connection',
    group: 'Serving',
    type: 'int',
    default: '0',
    doc: 'The limit that the server gives to clients for the maximum number of streams in an HTTP/2 connection. Zero means 100, as in kube-apiserver.',
  },
  {
    name: 'workers',
    group: 'Serving',
    type: 'string',
    placeholder: 'N',
    default: '1',
    doc: 'Number of worker processes that serve requests; auto is one for each processor. Limits hold for all workers together. See docs/scaling.md.',
  },
  {
    name: 'shutdown-grace',
    group: 'Serving',
    type: 'duration',
    default: '10s',
    doc: 'How long open requests may continue after SIGINT or SIGTERM.',
  },
  {
    name: 'max-requests-inflight',
    group: 'Serving',
    type: 'int',
    default: '400',
    doc: 'This and --max-mutating-requests-inflight are summed to determine how many requests execute at the same time (which must be positive) if --enable-priority-and-fairness is true. Otherwise, this flag limits the non-mutating requests in flight; zero is no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    group: 'Serving',
    type: 'int',
    default: '200',
    doc: 'This and --max-requests-inflight are summed to determine how many requests execute at the same time (which must be positive) if --enable-priority-and-fairness is true. Otherwise, this flag limits the mutating requests in flight; zero is no limit.',
  },
  {
    name: 'enable-priority-and-fairness',
    group: 'Serving',
    type: 'bool',
    default: 'true',
    doc: 'Queue requests over the limit and serve the user with the fewest executing requests first. If false, requests over the limit get a 429 at once, no matter which user sends them.',
  },
  {
    name: 'goaway-chance',
    group: 'Serving',
    type: 'float64',
    default: '0',
    doc: 'Fraction of HTTP/2 requests after which the server ends the connection gracefully (GOAWAY), so that clients spread over the servers behind a load balancer. From 0 (off) to 0.02; do not use it with a single server.',
  },
  {
    name: 'token-review-open',
    group: 'Reviews and keys',
    type: 'stringSlice',
    default: '[]',
    doc: 'Subjects that may create TokenReviews without a role: user:NAME or group:NAME. Default: none.',
  },
  {
    name: 'webhook-path',
    group: 'Reviews and keys',
    type: 'string',
    placeholder: 'PATH',
    default: '',
    doc: 'Path of the authentication webhook for API servers, such as /authenticate. Callers need the permission to create TokenReviews. Default: none.',
  },
  {
    name: 'webhook-reasons',
    group: 'Reviews and keys',
    type: 'string',
    choices: webhookReasons,
    default: 'rules',
    doc: 'Which webhook denials include status.error. kube-apiserver logs such denials and does not cache them. rules: denials by claim and user rules, and transient ones; all: every denial; none: only transient ones.',
  },
  {
    name: 'jwks-refetch',
    group: 'Reviews and keys',
    type: 'string',
    choices: ['throttled', 'per-token'],
    default: 'throttled',
    doc: 'throttled: after a fetch that brought no new key, the next one for that issuer is at least ten seconds later; per-token: as kube-apiserver, which may fetch keys for each rejected token.',
  },
  {
    name: 'jwks-cache-dir',
    group: 'Reviews and keys',
    type: 'string',
    placeholder: 'DIR',
    default: '',
    doc: 'Directory that stores the last valid keys of each issuer across restarts. Default: memory only.',
  },
  {
    name: 'decision-log',
    group: 'Logs',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File for the decision log, one JSON line per decision; - for standard output. Default: none.',
  },
  {
    name: 'decision-log-groups',
    group: 'Logs',
    type: 'bool',
    default: 'false',
    doc: 'Include groups in the decision log.',
  },
  {
    name: 'decision-log-extra',
    group: 'Logs',
    type: 'bool',
    default: 'false',
    doc: 'Include extra values in the decision log.',
  },
  {
    name: 'decision-log-claims',
    group: 'Logs',
    type: 'string',
    choices: ['none', 'shape', 'masked'],
    default: 'none',
    doc: 'Include the claims of JWTs in the decision log, for `authgraph replay`. shape: their names, types and sizes, booleans, null, the times exp, nbf and iat, the values of --decision-log-claim-values, strings that start with system:, and strings of the configuration and of the logged username and UID; masked: also a pseudonym in place of each other string.',
  },
  {
    name: 'decision-log-claim-values',
    group: 'Logs',
    type: 'stringSlice',
    placeholder: 'CLAIM',
    default: '[iss,aud]',
    doc: 'Claims whose values are included with --decision-log-claims, separated by commas.',
  },
  {
    name: 'decision-log-claims-key-file',
    group: 'Logs',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the key of the pseudonyms, at least 32 characters that only its owner can read. Default: a new key at each start.',
  },
  {
    name: 'logging-format',
    group: 'Logs',
    type: 'string',
    choices: ['', ...loggingFormats],
    default: '',
    doc: 'Sets the log format. text: lines as klog writes them; json: one JSON object per line, also for errors that prevent the start. Default: text on a terminal, otherwise json.',
  },
  {
    name: 'log-level',
    group: 'Logs',
    type: 'string',
    choices: logLevels,
    default: 'info',
    doc: 'Lowest level of log messages: debug, info, warn or error.',
  },
  {
    name: 'color',
    group: 'Logs',
    type: 'string',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    doc: 'When to use color in human-readable messages: auto (on a terminal), always or never.',
  },
];

/** The flags of controllers. */
const controllerFlags: readonly FlagRow[] = [
  {
    name: 'controllers',
    group: 'Controllers',
    type: 'stringSlice',
    default: defaultControllers,
    doc: `A list of controllers to enable. '*' enables all on-by-default controllers, 'foo' enables the controller named 'foo', '-foo' disables the controller named 'foo'. Implemented are ${implementedControllers.join(', ')}; other names of kube-controller-manager, and its aliases such as tokencleaner, are accepted. '*' does not enable token-cleaner-controller, so the default names it.`,
  },
  {
    name: 'leader-elect',
    group: 'Controllers',
    type: 'bool',
    default: 'true',
    doc: 'With --store=etcd, let one of several replicas run the controllers: the holder of the Lease kube-system/authgraph-controllers.',
  },
  {
    name: 'leader-elect-lease-duration',
    group: 'Controllers',
    type: 'duration',
    default: '15s',
    doc: 'The duration that non-leader candidates will wait after observing a leadership renewal until attempting to acquire leadership of a led but unrenewed leader slot.',
  },
  {
    name: 'leader-elect-renew-deadline',
    group: 'Controllers',
    type: 'duration',
    default: '10s',
    doc: 'The interval between attempts by the acting master to renew a leadership slot before it stops leading. This must be less than the lease duration.',
  },
  {
    name: 'leader-elect-retry-period',
    group: 'Controllers',
    type: 'duration',
    default: '2s',
    doc: 'The duration the clients should wait between attempting acquisition and renewal of a leadership.',
  },
  {
    name: 'root-ca-file',
    group: 'Controllers',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: "If set, this root certificate authority will be included in service account's token secret. This must be a valid PEM-encoded CA bundle. Default: the authorities in --tls-cert-file, or the authority of the self-signed certificate.",
  },
];

export const serveFlags: readonly FlagRow[] = [
  ...authenticationFlags,
  ...moduleFlags,
  ...rbacFlags,
  ...storeFlags,
  ...controllerFlags,
  ...serverFlags,
];
