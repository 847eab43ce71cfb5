/**
 * The flags of `authgraph serve`, as one table. Names, types and defaults of those that kube-apiserver
 * has are its own; each module has a table of its own.
 */

import type { FlagRow } from '../../flags/flag.ts';
import { apiDomains } from '../../model/api-domain.ts';
import { supportedReleases, newestRelease, releaseName } from '../../model/release.ts';
import { flags as storeFlags } from '../../node/store/flags.ts';
import { flags as rbacFlags } from '../../rbac/config.ts';
import { webhookReasons } from '../endpoints/webhook-reasons.ts';
import { moduleFlags } from '../modules/settings.ts';
import { defaultControllers, implementedControllers } from './controller-names.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;

const authenticationFlags: readonly FlagRow[] = [
  {
    name: 'authentication-config',
    group: 'Authentication',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the AuthenticationConfiguration, or an artefact made by `authgraph compile`. Not together with --oidc-*; not together with --anonymous-auth where the file has an anonymous section.',
  },
  {
    name: 'anonymous-auth',
    group: 'Authentication',
    type: 'bool',
    default: 'true',
    doc: 'Serve requests that present no credential as system:anonymous.',
  },
  {
    name: 'api-audiences',
    group: 'Authentication',
    type: 'stringSlice',
    default: '[]',
    doc: 'Identifiers of this API, asked for when a request names no audience.',
  },
  {
    name: 'feature-gates',
    group: 'Authentication',
    type: 'colonSeparatedMultimapStringString',
    default: '',
    doc: 'Feature gates as Name=true|false, comma-separated; repeatable.',
  },
  {
    name: 'runtime-config',
    group: 'Authentication',
    type: 'stringArray',
    default: '[]',
    doc: 'Versions of the API as GROUP/VERSION=true|false, comma-separated; repeatable. authentication.k8s.io/v1beta1=true adds the SelfSubjectReview of that version up to --target-version 1.32; groups that are not served here have no effect.',
  },
  {
    name: 'target-version',
    group: 'Authentication',
    type: 'string',
    default: releaseName(newestRelease),
    doc: `Release of the API server whose behaviour is followed, ${supportedReleases}.`,
  },
  {
    name: 'api-domain',
    group: 'Authentication',
    type: 'string',
    choices: ['', ...apiDomains],
    default: '',
    doc: 'Domain of names that no request decides: platform.io or k8s.io. Default: the domain of the configuration file at the start.',
  },
  {
    name: 'oidc-issuer-url',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'URL of the OpenID issuer, https only.',
  },
  {
    name: 'oidc-client-id',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Client ID that tokens must be issued for; required with --oidc-issuer-url.',
  },
  {
    name: 'oidc-ca-file',
    group: 'OIDC (instead of a file)',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: "File with the roots that sign the issuer's certificate. Default: the roots of this machine.",
  },
  {
    name: 'oidc-username-claim',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: 'sub',
    doc: 'Claim that is the username.',
  },
  {
    name: 'oidc-username-prefix',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Put before each username. Default: the issuer URL and # for claims other than email; - for no prefix.',
  },
  {
    name: 'oidc-groups-claim',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Claim that holds the groups, a text or a list of texts.',
  },
  {
    name: 'oidc-groups-prefix',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Put before each group.',
  },
  {
    name: 'oidc-signing-algs',
    group: 'OIDC (instead of a file)',
    type: 'stringSlice',
    default: '[RS256]',
    doc: 'Allowed signature algorithms: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.',
  },
  {
    name: 'oidc-required-claim',
    group: 'OIDC (instead of a file)',
    type: 'mapStringString',
    default: '',
    doc: 'A key=value pair that every token must carry; repeatable.',
  },
];

const serverFlags: readonly FlagRow[] = [
  {
    name: 'bind-address',
    group: 'Serving',
    type: 'ip',
    default: '0.0.0.0',
    doc: 'IP address to listen on.',
  },
  {
    name: 'secure-port',
    group: 'Serving',
    type: 'int',
    default: '6443',
    doc: 'Port to serve HTTPS on.',
  },
  {
    name: 'tls-cert-file',
    group: 'Serving',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the certificate chain of this server. Default: a self-signed certificate made at start.',
  },
  {
    name: 'tls-private-key-file',
    group: 'Serving',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the private key of --tls-cert-file.',
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
    name: 'shutdown-grace',
    group: 'Serving',
    type: 'duration',
    default: '10s',
    doc: 'How long open requests may take after a signal to end.',
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
    doc: 'Who may create TokenReviews: user:NAME or group:NAME. Default: nobody.',
  },
  {
    name: 'webhook-path',
    group: 'Reviews and keys',
    type: 'string',
    placeholder: 'PATH',
    default: '',
    doc: 'Path at which API servers may ask about tokens as their authentication webhook, such as /authenticate. Who may ask is who may create TokenReviews. Default: none.',
  },
  {
    name: 'webhook-reasons',
    group: 'Reviews and keys',
    type: 'string',
    choices: webhookReasons,
    default: 'rules',
    doc: 'Denials at --webhook-path that say why, which an API server logs and does not remember. rules: all but those of broken, expired or forged tokens; all: all of them; none: those alone that pass by themselves.',
  },
  {
    name: 'jwks-refetch',
    group: 'Reviews and keys',
    type: 'string',
    choices: ['throttled', 'per-token'],
    default: 'throttled',
    doc: 'throttled: at most one fruitless fetch of an issuer’s keys in ten seconds; per-token: as kube-apiserver, which may fetch for each refused token.',
  },
  {
    name: 'jwks-cache-dir',
    group: 'Reviews and keys',
    type: 'string',
    placeholder: 'DIR',
    default: '',
    doc: 'Directory that keeps the last good keys of each issuer over a restart. Default: memory only.',
  },
  {
    name: 'decision-log',
    group: 'Logs',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File for one JSON line a decision, - for standard output. Default: none.',
  },
  {
    name: 'decision-log-groups',
    group: 'Logs',
    type: 'bool',
    default: 'false',
    doc: 'Write groups into the decision log.',
  },
  {
    name: 'decision-log-extra',
    group: 'Logs',
    type: 'bool',
    default: 'false',
    doc: 'Write extra values into the decision log.',
  },
  {
    name: 'log-level',
    group: 'Logs',
    type: 'string',
    choices: logLevels,
    default: 'info',
    doc: 'debug, info, warn or error.',
  },
  {
    name: 'color',
    group: 'Logs',
    type: 'string',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    doc: 'Colours of messages for people: on a terminal only, always, or never.',
  },
];

/** In the order of the help. */
const controllerFlags: readonly FlagRow[] = [
  {
    name: 'controllers',
    group: 'Controllers',
    type: 'stringSlice',
    default: defaultControllers,
    doc: `A list of controllers to enable. '*' enables all on-by-default controllers, 'foo' enables the controller named 'foo', '-foo' disables the controller named 'foo'. Implemented are ${implementedControllers.join(', ')}; other names of kube-controller-manager, and its aliases such as tokencleaner, are accepted. '*' does not enable token-cleaner-controller, so the default names it.`,
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
