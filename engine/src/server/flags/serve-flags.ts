/**
 * The flags of `authgraph serve`. Names, types and defaults of kube-apiserver's flags are
 * unchanged; each module has a table of its own.
 */

import type { FlagRow } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';
import { apiDomains } from '../../model/api-domain.ts';
import { newestRelease, releaseName, releases, supportedReleases } from '../../model/release.ts';
import { flags as storeFlags } from '../../node/store/flags.ts';
import { flags as rbacFlags } from '../../rbac/config.ts';
import { webhookReasons } from '../endpoints/webhook-reasons.ts';
import { moduleFlags } from '../modules/settings.ts';
import { defaultControllers, implementedControllers } from './controller-names.ts';

export const loggingFormats = ['json', 'text'] as const;
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;

const authenticationFlags = flagGroup('Authentication', [
  {
    name: 'authentication-config',
    alias: 'config',
    shorthand: 'c',
    placeholder: 'FILE',
    doc: 'File with the AuthenticationConfiguration, or an artifact written by `authgraph compile`. Mutually exclusive with the --oidc-* flags, and with --anonymous-auth if the file has an anonymous section.',
  },
  {
    name: 'anonymous-auth',
    type: 'bool',
    default: 'true',
    doc: 'Enables anonymous requests. Requests that are not rejected by another authentication method are treated as anonymous requests, with the username system:anonymous and the group system:unauthenticated.',
  },
  {
    name: 'api-audiences',
    type: 'stringSlice',
    doc: 'Identifiers of the API. The service account token authenticator will validate that tokens used against the API are bound to at least one of these audiences. Default: the values of --service-account-issuer.',
  },
  {
    name: 'feature-gates',
    type: 'colonSeparatedMultimapStringString',
    doc: 'Comma-separated list of key=value pairs that describe feature gates; may be repeated.',
  },
  {
    name: 'runtime-config',
    type: 'stringArray',
    doc: 'A set of key=value pairs that enable or disable built-in APIs, comma-separated; may be repeated. authentication.k8s.io/v1beta1=true enables its SelfSubjectReview up to --target-version 1.32; groups that are not served have no effect.',
  },
  {
    name: 'target-version',
    default: releaseName(newestRelease),
    suggestions: releases.map(releaseName),
    doc: `Release of kube-apiserver to emulate, ${supportedReleases}.`,
  },
  {
    name: 'api-domain',
    choices: ['', ...apiDomains],
    default: '',
    doc: 'API domain of names that do not depend on the request: platform.io or k8s.io. Default: the domain of the configuration file at startup.',
  },
]);

const serverFlags: readonly FlagRow[] = [
  ...flagGroup('Serving', [
    {
      name: 'bind-address',
      type: 'ip',
      default: '0.0.0.0',
      doc: 'The IP address on which to listen.',
    },
    {
      name: 'secure-port',
      type: 'int',
      default: '6443',
      doc: 'The port on which to serve HTTPS with authentication and authorization.',
    },
    {
      name: 'tls-cert-file',
      placeholder: 'FILE',
      doc: 'File containing the x509 certificate for HTTPS, with its chain. Default: a self-signed certificate generated at startup.',
    },
    {
      name: 'tls-private-key-file',
      placeholder: 'FILE',
      doc: 'File containing the x509 private key matching --tls-cert-file.',
    },
    {
      name: 'disable-http2-serving',
      type: 'bool',
      doc: 'If true, HTTP2 serving will be disabled: clients are offered HTTP/1.1 only.',
    },
    {
      name: 'http2-max-streams-per-connection',
      type: 'int',
      default: '0',
      doc: 'The limit that the server gives to clients for the maximum number of streams in an HTTP/2 connection. Zero means 100, as in kube-apiserver.',
    },
    {
      name: 'workers',
      placeholder: 'N',
      default: '1',
      doc: 'Number of worker processes that serve requests; auto is one for each processor. Limits hold for all workers together. See docs/scaling.md.',
    },
    {
      name: 'shutdown-grace',
      type: 'duration',
      default: '10s',
      doc: 'How long open requests may continue after SIGINT or SIGTERM.',
    },
    {
      name: 'max-requests-inflight',
      type: 'int',
      default: '400',
      doc: 'This and --max-mutating-requests-inflight are summed to determine how many requests execute at the same time (which must be positive) if --enable-priority-and-fairness is true. Otherwise, this flag limits the non-mutating requests in flight; zero is no limit.',
    },
    {
      name: 'max-mutating-requests-inflight',
      type: 'int',
      default: '200',
      doc: 'This and --max-requests-inflight are summed to determine how many requests execute at the same time (which must be positive) if --enable-priority-and-fairness is true. Otherwise, this flag limits the mutating requests in flight; zero is no limit.',
    },
    {
      name: 'enable-priority-and-fairness',
      type: 'bool',
      default: 'true',
      doc: 'Queue requests over the limit and serve the user with the fewest executing requests first. If false, requests over the limit get a 429 at once, no matter which user sends them.',
    },
    {
      name: 'goaway-chance',
      type: 'float64',
      default: '0',
      doc: 'Fraction of HTTP/2 requests after which the server ends the connection gracefully (GOAWAY), so that clients spread over the servers behind a load balancer. From 0 (off) to 0.02; do not use it with a single server.',
    },
  ]),
  ...flagGroup('Reviews and keys', [
    {
      name: 'token-review-open',
      type: 'stringSlice',
      doc: 'Subjects that may create TokenReviews without a role: user:NAME or group:NAME. Default: none.',
    },
    {
      name: 'webhook-path',
      placeholder: 'PATH',
      doc: 'Path of the authentication webhook for API servers, such as /authenticate. Callers need the permission to create TokenReviews. Default: none.',
    },
    {
      name: 'webhook-reasons',
      choices: webhookReasons,
      default: 'rules',
      doc: 'Which webhook denials include status.error. kube-apiserver logs such denials and does not cache them. rules: denials by claim and user rules, and transient ones; all: every denial; none: only transient ones.',
    },
    {
      name: 'jwks-refetch',
      choices: ['throttled', 'per-token'],
      default: 'throttled',
      doc: 'throttled: after a fetch that returned no new key, the next one for that issuer is at least ten seconds later; per-token: as in kube-apiserver, which may fetch keys for each rejected token.',
    },
    {
      name: 'jwks-cache-dir',
      placeholder: 'DIR',
      doc: 'Directory that stores the last valid keys of each issuer across restarts. Default: memory only.',
    },
  ]),
  ...flagGroup('Logs', [
    {
      name: 'decision-log',
      placeholder: 'FILE',
      doc: 'File for the decision log, one JSON line per decision; - for standard output. Default: none.',
    },
    {
      name: 'decision-log-groups',
      type: 'bool',
      doc: 'Include groups in the decision log.',
    },
    {
      name: 'decision-log-extra',
      type: 'bool',
      doc: 'Include extra values in the decision log.',
    },
    {
      name: 'decision-log-claims',
      choices: ['none', 'shape', 'masked'],
      default: 'none',
      doc: 'Include the claims of JWTs in the decision log, for `authgraph replay`. shape: their names, types and sizes, booleans, null, the times exp, nbf and iat, the values of --decision-log-claim-values, strings that start with system:, and strings of the configuration and of the logged username and UID; masked: also a pseudonym in place of each other string.',
    },
    {
      name: 'decision-log-claim-values',
      type: 'stringSlice',
      placeholder: 'CLAIM',
      default: '[iss,aud]',
      doc: 'Claims whose values are included with --decision-log-claims, separated by commas.',
    },
    {
      name: 'decision-log-claims-key-file',
      placeholder: 'FILE',
      doc: 'File with the key for pseudonyms: at least 32 characters, readable only by its owner. Default: a new key at each startup.',
    },
    {
      name: 'logging-format',
      choices: ['', ...loggingFormats],
      default: '',
      doc: 'Sets the log format. text: lines as klog writes them; json: one JSON object per line, also for startup errors. Default: text on a terminal, otherwise json.',
    },
    {
      name: 'log-level',
      choices: logLevels,
      default: 'info',
      doc: 'Lowest level of log messages: debug, info, warn or error.',
    },
    {
      name: 'color',
      choices: ['auto', 'always', 'never'],
      default: 'auto',
      doc: 'When to use color in human-readable messages: auto (on a terminal), always or never.',
    },
  ]),
];

/** The flags of controllers. */
const controllerFlags = flagGroup('Controllers', [
  {
    name: 'controllers',
    type: 'stringSlice',
    default: defaultControllers,
    doc: `A list of controllers to enable. '*' enables all on-by-default controllers, 'foo' enables the controller named 'foo', '-foo' disables the controller named 'foo'. Implemented are ${implementedControllers.join(', ')}; other names of kube-controller-manager, and its aliases such as tokencleaner, are accepted. '*' does not enable token-cleaner-controller, so the default names it.`,
  },
  {
    name: 'leader-elect',
    type: 'bool',
    default: 'true',
    doc: 'With --store=etcd, let one of several replicas run the controllers: the holder of the Lease kube-system/authgraph-controllers.',
  },
  {
    name: 'leader-elect-lease-duration',
    type: 'duration',
    default: '15s',
    doc: 'The duration that non-leader candidates will wait after observing a leadership renewal until attempting to acquire leadership of a led but unrenewed leader slot.',
  },
  {
    name: 'leader-elect-renew-deadline',
    type: 'duration',
    default: '10s',
    doc: 'The interval between attempts by the acting master to renew a leadership slot before it stops leading. This must be less than the lease duration.',
  },
  {
    name: 'leader-elect-retry-period',
    type: 'duration',
    default: '2s',
    doc: 'The duration the clients should wait between attempting acquisition and renewal of a leadership.',
  },
  {
    name: 'root-ca-file',
    placeholder: 'FILE',
    doc: "If set, this root certificate authority will be included in service account's token secret. This must be a valid PEM-encoded CA bundle. Default: the authorities in --tls-cert-file, or the authority of the self-signed certificate.",
  },
]);

export const serveFlags: readonly FlagRow[] = [
  ...authenticationFlags,
  ...moduleFlags,
  ...rbacFlags,
  ...storeFlags,
  ...controllerFlags,
  ...serverFlags,
];
