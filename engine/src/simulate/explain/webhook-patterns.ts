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
    '400: it could not read the request',
    'Look which version of TokenReview it reads, and give that to --authentication-token-webhook-version.',
  ],
  [
    'unauthorized',
    /^the server has asked for the client to provide credentials$/,
    '401: it does not know who asks',
    'Give the kubeconfig a client certificate or a token that is good there.',
  ],
  [
    'not-found',
    /^the server could not find the requested resource$/,
    '404: nothing is served at the path',
    'Compare the path of the server in the kubeconfig with that of the webhook.',
  ],
  [
    'method',
    /^the server does not allow this method on the requested resource$/,
    '405: the path takes no such request',
    'Compare the path of the server in the kubeconfig with that of the webhook.',
  ],
  [
    'conflict',
    /^the server reported a conflict$/,
    '409, which no webhook should',
    'Ask those who run the webhook.',
  ],
  [
    'refused',
    /^the server rejected our request due to an error in our request$/,
    '422: the review is not what it expects',
    'Look which version of TokenReview it reads, and give that to --authentication-token-webhook-version.',
  ],
  [
    'busy',
    /^the server has received too many requests and has asked us to try again later$/,
    '429: it is asked too often',
    'Let it answer faster, or keep its answers longer (--authentication-token-webhook-cache-ttl).',
  ],
  [
    'unavailable',
    /^the server is currently unable to handle the request$/,
    '503: it cannot answer at the moment',
    'Look whether the webhook runs.',
  ],
  [
    'timeout',
    /^the server was unable to return a response in the time allotted, but may still be processing the request$/,
    '504: something behind it is slow',
    'Look what the webhook waits for.',
  ],
  [
    'error',
    /^an error on the server \("(?<said>.*)"\) has prevented the request from succeeding$/s,
    'an error of its own, with the text {said}',
    'Look into its log.',
  ],
  [
    'code',
    /^the server responded with the status code (?<code>\d+) but did not return more information$/,
    '{code}, which is no answer to a review',
    'Redirects are not followed: name the address that answers itself.',
  ],
  ['wordless', /^unknown$/, 'an error without words', 'Look into its log.'],
];

const ofAnswers = answers.map(
  ([name, pattern, what, fix]): StagePattern => ({
    name: `webhook-answer-${name}`,
    pattern,
    refusal: failed,
    meaning: `In the log of a server: the token webhook answered ${what}. From kubectl or another client: the API server itself did.`,
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
    meaning: 'The token webhook could not be asked at {url}: {why}.',
    fix: 'Ask it with curl from where the server runs: address, firewall, time to answer, and the authority in the kubeconfig.',
  },
  {
    name: 'webhook-other-kind',
    pattern: /^converting \((?<got>\S+)\) to \((?<wanted>\S+)\): unknown conversion$/,
    ...version,
    refusal: failed,
    meaning: 'The token webhook answered {got}, and {wanted} was asked.',
    fix: 'It has to answer in the version of the question; --authentication-token-webhook-version says in which one that is (v1beta1 when not given).',
  },
  {
    name: 'webhook-other-group',
    pattern:
      /^webhook: refused: the reply has apiVersion "(?<got>.*)", the request had "(?<wanted>.*)"$/s,
    ...version,
    refusal: failed,
    meaning:
      'The token webhook replied with apiVersion {got} to a request with apiVersion {wanted}.',
    fix: 'The webhook must reply with the apiVersion that it received. --api-domain sets the group that is sent.',
  },
  {
    name: 'webhook-empty-answer',
    pattern: /^0-length response with status code: (?<code>\d+) and content type: (?<type>.*)$/s,
    ...webhook,
    refusal: failed,
    meaning: 'The token webhook answered {code} with nothing in it.',
    fix: 'It has to answer 200 with a TokenReview, also for tokens that it does not know.',
  },
  {
    name: 'webhook-mistyped-answer',
    pattern:
      /^json: cannot unmarshal (?<got>.+?) into Go struct field (?<path>(?:TokenReview|UserInfo)\S*) of type (?<type>\S+)$/,
    ...webhook,
    refusal: failed,
    meaning: 'The token webhook’s answer has {got} at {path}, where {type} must be.',
    fix: 'authenticated is true or false; the values of extra are lists of texts.',
  },
  {
    name: 'webhook-user-refused',
    pattern: /^webhook: refused: (?<why>.*)$/s,
    ...webhook,
    refusal: webhookUserRefused,
    meaning: 'The token webhook accepted the token, and AuthGraph refuses the user: {why}.',
    fix: 'docs/limits.md and docs/differences.md have the rules; the webhook has to name the user, with fewer or shorter groups.',
  },
  {
    name: 'webhook-overloaded',
    pattern: /^webhook: more than (?<most>\d+) requests are in flight$/,
    ...webhook,
    refusal: webhookOverloaded,
    meaning: '{most} tokens wait for the webhook already.',
    fix: 'Look why it is slow; tokens that are known go on working.',
  },
  {
    name: 'webhook-requests',
    pattern: /^webhook: too many requests are waiting for responses$/,
    ...webhook,
    refusal: webhookOverloaded,
    meaning:
      'The request to the webhook was not sent, or was given up for a client with fewer requests.',
    fix: 'Find out why the webhook answers slowly.',
  },
  {
    name: 'webhook-version',
    pattern:
      /^unsupported authentication webhook version "(?<version>.*)", supported versions are "v1", "v1beta1"$/s,
    ...version,
    meaning: 'A token webhook cannot be asked in version {version}.',
    fix: 'Write v1 or v1beta1.',
  },
  {
    name: 'webhook-cache-short',
    pattern:
      /^the webhook cache ttl of (?<short>\S+) is shorter than the overall cache ttl of (?<long>\S+) for (?<which>successful|failed) token authentication attempts\.$/,
    module: 'webhook-token',
    flags: ['authentication-token-webhook-cache-ttl'],
    meaning:
      'The webhook’s answers are to be kept for {short}, and the server keeps every {which} decision for {long}.',
    fix: 'Nothing is gained below the longer of the two.',
  },
  {
    name: 'webhook-tries',
    pattern: /^number of webhook retry attempts must be greater than \d, but is: (?<tries>-?\d+)$/,
    module: 'webhook-token',
    meaning: 'The webhook is to be tried {tries} times.',
    fix: 'Let it be tried once at least.',
  },
  {
    name: 'kubeconfig-unusable',
    pattern: /^invalid configuration: (?<why>.*)$/s,
    ...webhook,
    meaning: 'The kubeconfig of a server that should be asked cannot be used: {why}.',
    fix: 'It needs a cluster with a server, a current-context that names it, and files that are there; paths are relative to the kubeconfig.',
  },
  {
    name: 'kubeconfig-unreadable',
    pattern: /^error loading config file "(?<file>.*?)": (?<why>.*)$/s,
    ...webhook,
    meaning: 'The kubeconfig {file} cannot be read: {why}.',
    fix: 'Fix it where the text says; kubectl --kubeconfig reads the same form.',
  },
];
