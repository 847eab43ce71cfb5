/** Message patterns for the token webhook: how it is reached, and what it answered. */
import {
  webhookFailed as failed,
  webhookOverloaded,
  webhookUserRefused,
} from '../../authenticators/webhook-token/rejections.ts';
import type { StagePattern } from './module-pattern.ts';

const webhook = {
  module: 'webhook-token',
  flags: ['authentication-token-webhook-config-file'],
} as const;
const version = {
  module: 'webhook-token',
  flags: ['authentication-token-webhook-version'],
} as const;

/**
 * Errors of API clients about a response: of the webhook in a server's log, or of the server in
 * kubectl.
 */
const answers: readonly (readonly [name: string, pattern: RegExp, what: string, fix: string])[] = [
  [
    'bad-request',
    /^the server rejected our request for an unknown reason$/,
    '400: it could not parse the request',
    'Set --authentication-token-webhook-version to the version of TokenReview that it accepts.',
  ],
  [
    'unauthorized',
    /^the server has asked for the client to provide credentials$/,
    '401: it did not authenticate the caller',
    'Add a client certificate or token that the webhook accepts to the kubeconfig.',
  ],
  [
    'not-found',
    /^the server could not find the requested resource$/,
    '404: the path does not exist',
    'Compare the server URL in the kubeconfig with the path of the webhook.',
  ],
  [
    'method',
    /^the server does not allow this method on the requested resource$/,
    '405: method not allowed at this path',
    'Compare the server URL in the kubeconfig with the path of the webhook.',
  ],
  [
    'conflict',
    /^the server reported a conflict$/,
    '409, which is unexpected',
    'Check the log of the webhook.',
  ],
  [
    'refused',
    /^the server rejected our request due to an error in our request$/,
    '422: it rejected the TokenReview as invalid',
    'Set --authentication-token-webhook-version to the version of TokenReview that it accepts.',
  ],
  [
    'busy',
    /^the server has received too many requests and has asked us to try again later$/,
    '429: too many requests',
    'Make the webhook faster, or increase the cache TTL (--authentication-token-webhook-cache-ttl).',
  ],
  [
    'unavailable',
    /^the server is currently unable to handle the request$/,
    '503: it is currently unavailable',
    'Check whether the webhook is running.',
  ],
  [
    'timeout',
    /^the server was unable to return a response in the time allotted, but may still be processing the request$/,
    '504: its backend timed out',
    'Check the backend of the webhook.',
  ],
  [
    'error',
    /^an error on the server \("(?<said>.*)"\) has prevented the request from succeeding$/s,
    'an error: {said}',
    'Check its log.',
  ],
  [
    'code',
    /^the server responded with the status code (?<code>\d+) but did not return more information$/,
    '{code}, which is not a valid response to a TokenReview',
    'Redirects are not followed: set the final URL in the kubeconfig.',
  ],
  ['wordless', /^unknown$/, 'an error without a message', 'Check its log.'],
];

const ofAnswers = answers.map(
  ([name, pattern, what, fix]): StagePattern => ({
    name: `webhook-answer-${name}`,
    pattern,
    refusal: failed,
    meaning: `In a server log, the token webhook returned ${what}. From kubectl or another client, kube-apiserver returned it.`,
    fix,
  }),
);

export const webhookPatterns: readonly StagePattern[] = [
  ...ofAnswers,
  {
    name: 'webhook-unreachable',
    pattern: /^Post "(?<url>[^"]*)": (?<why>.*)$/s,
    ...webhook,
    refusal: failed,
    meaning: 'The token webhook could not be called at {url}: {why}.',
    fix: 'Call it with curl from where the server runs; check the address, firewall, response time, and the CA in the kubeconfig.',
  },
  {
    name: 'webhook-other-kind',
    pattern: /^converting \((?<got>\S+)\) to \((?<wanted>\S+)\): unknown conversion$/,
    ...version,
    refusal: failed,
    meaning: 'The token webhook returned {got} to a request with {wanted}.',
    fix: 'The webhook must return the version of the request, which --authentication-token-webhook-version sets (default v1beta1).',
  },
  {
    name: 'webhook-other-group',
    pattern:
      /^webhook: refused: the reply has apiVersion "(?<got>.*)", the request had "(?<wanted>.*)"$/s,
    ...version,
    refusal: failed,
    meaning: 'The token webhook returned apiVersion {got} to a request with apiVersion {wanted}.',
    fix: 'The webhook must return the apiVersion of the request. --api-domain sets the group that is sent.',
  },
  {
    name: 'webhook-empty-answer',
    pattern: /^0-length response with status code: (?<code>\d+) and content type: (?<type>.*)$/s,
    ...webhook,
    refusal: failed,
    meaning: 'The token webhook returned {code} with an empty body.',
    fix: 'The webhook must return 200 with a TokenReview, even for unknown tokens.',
  },
  {
    name: 'webhook-mistyped-answer',
    pattern:
      /^json: cannot unmarshal (?<got>.+?) into Go struct field (?<path>(?:TokenReview|UserInfo)\S*) of type (?<type>\S+)$/,
    ...webhook,
    refusal: failed,
    meaning: "The token webhook's response has {got} at {path}, which must be {type}.",
    fix: 'authenticated must be true or false; the values of extra must be lists of strings.',
  },
  {
    name: 'webhook-user-refused',
    pattern: /^webhook: refused: (?<why>.*)$/s,
    ...webhook,
    refusal: webhookUserRefused,
    meaning: 'The token webhook accepted the token, but AuthGraph rejects the user: {why}.',
    fix: 'The webhook must return a user with a username and within the limits in docs/limits.md. See also docs/differences.md.',
  },
  {
    name: 'webhook-overloaded',
    pattern: /^webhook: more than (?<most>\d+) requests are in flight$/,
    ...webhook,
    refusal: webhookOverloaded,
    meaning: '{most} tokens are already waiting for the webhook.',
    fix: 'Find out why the webhook responds slowly. Cached tokens still work.',
  },
  {
    name: 'webhook-requests',
    pattern: /^webhook: too many requests are waiting for responses$/,
    ...webhook,
    refusal: webhookOverloaded,
    meaning:
      'The request to the webhook was not sent, or was aborted in favor of a client with fewer requests.',
    fix: 'Find out why the webhook responds slowly.',
  },
  {
    name: 'webhook-version',
    pattern:
      /^unsupported authentication webhook version "(?<version>.*)", supported versions are "v1", "v1beta1"$/s,
    ...version,
    meaning: 'The version {version} of token webhooks is not supported.',
    fix: 'Use v1 or v1beta1.',
  },
  {
    name: 'webhook-cache-short',
    pattern:
      /^the webhook cache ttl of (?<short>\S+) is shorter than the overall cache ttl of (?<long>\S+) for (?<which>successful|failed) token authentication attempts\.$/,
    module: 'webhook-token',
    flags: ['authentication-token-webhook-cache-ttl'],
    meaning:
      "The webhook's responses are cached for {short}, but the server caches every {which} decision for {long}.",
    fix: 'Set the webhook cache TTL to at least {long}; a shorter one has no effect.',
  },
  {
    name: 'webhook-tries',
    pattern: /^number of webhook retry attempts must be greater than \d, but is: (?<tries>-?\d+)$/,
    module: 'webhook-token',
    meaning: 'The number of attempts to call the webhook is {tries}.',
    fix: 'Set it to at least 1.',
  },
  {
    name: 'kubeconfig-unusable',
    pattern: /^invalid configuration: (?<why>.*)$/s,
    ...webhook,
    meaning: 'The kubeconfig of the webhook cannot be used: {why}.',
    fix: 'It requires a cluster with a server and a current-context that refers to it, and its files must exist; paths are relative to the kubeconfig.',
  },
  {
    name: 'kubeconfig-unreadable',
    pattern: /^error loading config file "(?<file>.*?)": (?<why>.*)$/s,
    ...webhook,
    meaning: 'The kubeconfig {file} cannot be parsed: {why}.',
    fix: 'Fix it at the reported location; kubectl --kubeconfig reads the same format.',
  },
];
