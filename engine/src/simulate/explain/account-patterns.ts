/** Message patterns for service account tokens and for requests that create them. */
import {
  accountAudienceMismatch as audience,
  accountClaimsUnreadable as claims,
  accountTokenRefused as form,
  accountNotFound as invalidated,
  accountKeyMissing as signature,
  accountTokenTimes as time,
} from '../../signed-token/account-rejections.ts';
import type { StagePattern } from './module-pattern.ts';

const bound = 'service-account-token';
const legacy = 'legacy-service-account-token';

export const accountPatterns: readonly StagePattern[] = [
  {
    name: 'account-token-refused',
    pattern:
      /^refused: (?<why>the token is not canonical base64url|the header has crit or b64|(?:a header|claims) of more than .*|header or claims nest .*|the claims contain .*|claim ".*" differs .*)$/s,
    module: bound,
    refusal: form,
    meaning:
      'The service account token violates a rule that is stricter than in kube-apiserver: {why}.',
    fix: 'See docs/differences.md for the rule and its reason.',
  },
  {
    name: 'account-signature-unknown',
    pattern:
      /^(?:go-jose\/go-jose: error in cryptographic primitive|invalid signature, no keys found)$/,
    module: bound,
    flags: ['service-account-key-file'],
    refusal: signature,
    meaning:
      "The token's issuer is a service account issuer of this server, but none of the server's keys verifies its signature. There is one such error for each key.",
    fix: "Compare the token's kid with /openid/v1/jwks. After a key rotation, keep the old public key until its tokens have expired. All servers of a cluster need the same keys.",
  },
  {
    name: 'account-token-unreadable',
    pattern: /^(?:go-jose\/go-jose(?:\/jwt)?|square\/go-jose(?:\/jwt)?): (?<why>.*)$/s,
    module: bound,
    refusal: claims,
    meaning: 'The service account token or one of its standard claims cannot be parsed: {why}.',
    fix: 'Find out who signed the token; all service account tokens are issued by the server itself.',
  },
  {
    name: 'account-token-expired',
    pattern: /^service account token has expired$/,
    module: bound,
    refusal: time,
    meaning: 'The service account token expired more than a minute ago.',
    fix: 'Read the token again from its projected volume, where it is renewed; a program that caches it must reload it. On the command line, use kubectl create token.',
  },
  {
    name: 'account-token-early',
    pattern: /^service account token (?:is not valid yet|is issued in the future)$/,
    module: bound,
    refusal: time,
    meaning: 'The service account token becomes valid more than a minute in the future.',
    fix: 'Synchronize the clocks of the servers: the clock of the server that issued the token is ahead.',
  },
  {
    name: 'account-audience',
    pattern:
      /^token audiences \[(?<got>.*)\] is invalid for the target audiences \[(?<wanted>.*)\]$/s,
    module: bound,
    flags: ['api-audiences'],
    refusal: audience,
    meaning:
      'The service account token is issued for {got}; this server or this TokenReview accepts {wanted}.',
    fix: 'Request a token with one of these audiences (kubectl create token --audience), or extend --api-audiences.',
  },
  {
    name: 'account-not-found',
    pattern: /^(?<kind>serviceaccounts|pods|nodes|secrets) "(?<name>.*)" not found$/s,
    refusal: invalidated,
    meaning:
      'A service account token or a token request refers to {kind} {name}, which does not exist.',
    fix: 'If the object should exist, find out what deleted it. Otherwise request a new token.',
  },
  {
    name: 'account-deleted',
    pattern: /^(?:service account|ServiceAccount) (?<account>\S*) has been deleted$/,
    refusal: invalidated,
    meaning: 'The service account {account} of the token was deleted or is being deleted.',
    fix: 'Recreate the service account and request a new token; tokens of the deleted account remain invalid.',
  },
  {
    name: 'account-replaced',
    pattern:
      /^(?<kind>service account|ServiceAccount|pod|node|secret) UID \((?<uid>[^()]*)\) does not match (?:claim|service account (?:pod|node|secret) ref claim) \((?<claim>[^()]*)\)$/,
    refusal: invalidated,
    meaning:
      'The {kind} was deleted and recreated with the same name: the token is bound to the old one (UID {claim}, now {uid}).',
    fix: 'Request a new token.',
  },
  {
    name: 'account-token-invalidated',
    pattern: /^(?:service account token|Token) has been invalidated$/,
    refusal: invalidated,
    meaning:
      'The object that the token is bound to was deleted, or its secret now contains a different token.',
    fix: 'Request a new token.',
  },
  {
    name: 'account-token-changed',
    pattern: /^Token does not match server's copy$/,
    module: legacy,
    refusal: invalidated,
    meaning: 'The secret of the token now contains a different token.',
    fix: 'Read the token from the secret again or, preferably, use a token from the TokenRequest API.',
  },
  {
    name: 'account-token-marked-invalid',
    pattern:
      /^the token in secret (?<secret>\S+) for service account (?<account>\S+) has been marked invalid\. .*$/s,
    module: legacy,
    refusal: invalidated,
    meaning:
      'The token of the secret {secret} was not used for a long time, so the cluster marked it as invalid.',
    fix: 'Use kubectl create token or a projected volume. As a temporary workaround, remove the label kubernetes.io/legacy-token-invalid-since from the secret.',
  },
  {
    name: 'account-claim-missing',
    pattern:
      /^(?<claim>sub|namespace|secretName|serviceAccountUID|serviceAccountName) claim is missing$/,
    module: legacy,
    refusal: claims,
    meaning: 'A token of a service account secret has no claim {claim}.',
    fix: 'Find out who signed the token; all service account tokens are issued by the server itself.',
  },
  {
    name: 'account-claim-wrong',
    pattern: /^sub claim is invalid$/,
    module: legacy,
    refusal: claims,
    meaning: "The token's sub is not the service account that its other claims refer to.",
    fix: 'Find out who signed the token; all service account tokens are issued by the server itself.',
  },
  {
    name: 'account-issuer-unknown',
    pattern: /^token issuer "(?<issuer>.*)" is invalid$/s,
    module: bound,
    flags: ['service-account-issuer'],
    refusal: claims,
    meaning:
      'A key of this server verifies the token, but its issuer {issuer} is not in --service-account-issuer.',
    fix: 'After a change of issuer, add the old one as another --service-account-issuer until its tokens have expired.',
  },
  {
    name: 'account-node-gate',
    pattern:
      /^token (?:is bound to a Node object but the|bound to Node object requested, but) "?(?<gate>\w+)"? feature gate is disabled$/,
    flags: ['feature-gates'],
    refusal: claims,
    meaning: 'Tokens that are bound to a node require the feature gate {gate}, which is disabled.',
    fix: 'Enable it with --feature-gates, or bind the token to a pod.',
  },
  {
    name: 'account-claims-invalid',
    pattern: /^service account token claims could not be validated(?:: (?<why>.*)| due to .*)$/s,
    module: bound,
    refusal: claims,
    meaning: 'The claims of the service account token are invalid.',
    fix: 'Find out who signed the token; all service account tokens are issued by the server itself.',
  },
  {
    name: 'account-keys-twice',
    pattern:
      /^cannot set mutually exclusive flags `--service-account-key-file` and `--service-account-signing-endpoint` at the same time$/,
    flags: ['service-account-key-file', 'service-account-signing-endpoint'],
    meaning:
      'Service account keys can be read from files or from a signing endpoint, not from both.',
    fix: 'Remove one of the two flags.',
  },
  {
    name: 'account-keys-unusable',
    pattern: /^failed to set up public service account keys: (?<why>.*)$/s,
    flags: ['service-account-key-file'],
    meaning: 'The public keys of service accounts cannot be used: {why}.',
    fix: 'Check each file in --service-account-key-file: it must be PEM with RSA or ECDSA keys.',
  },
  {
    name: 'account-keys-unreadable',
    pattern:
      /^(?:error reading public key file (?<file>.*?): )?data does not contain any valid RSA or ECDSA public keys$/s,
    module: bound,
    flags: ['service-account-key-file'],
    meaning: 'A public key file contains no valid key.',
    fix: 'The file must be PEM with public keys (RSA or EC) or certificates; Ed25519 is not supported.',
  },
  {
    name: 'account-signing-key-unreadable',
    pattern:
      /^(?:failed to parse service-account-issuer-key-file|failed to build token generator): (?<why>.*)$/s,
    flags: ['service-account-signing-key-file'],
    meaning: 'The key that signs new tokens cannot be used: {why}.',
    fix: 'The file must contain one RSA or ECDSA private key in PEM, and only the server may have access to it.',
  },
  {
    name: 'account-issuer-required',
    pattern: /^service-account-issuer is a required flag$/,
    flags: ['service-account-issuer'],
    meaning: 'The issuer of service account tokens is not configured.',
    fix: 'Set --service-account-issuer. Tokens are issued with the first value; all values are accepted.',
  },
  {
    name: 'account-issuer-invalid',
    pattern:
      /^service-account-issuer (?:should not be an empty string|".*" (?:is already specified|contained a ':' but was not a valid URL: .*))$/s,
    flags: ['service-account-issuer'],
    meaning:
      'A value of --service-account-issuer is empty, repeated, or contains a colon but is not a URL.',
    fix: 'Set each issuer once, as a string without a colon or as a complete URL.',
  },
  {
    name: 'account-keys-required',
    pattern:
      /^either `--service-account-key-file` or `--service-account-signing-endpoint` must be set$/,
    flags: ['service-account-key-file'],
    meaning: 'The server has no keys to verify service account tokens.',
    fix: 'Set --service-account-key-file to the file with the public keys.',
  },
  {
    name: 'account-keys-address',
    pattern:
      /^service-account-jwks-uri (?:requires https scheme, parsed as|must be a valid URL): (?<why>.*)$/s,
    flags: ['service-account-jwks-uri'],
    meaning: 'The URL of the key set for the discovery document is invalid: {why}.',
    fix: 'Set an https URL, or remove the flag.',
  },
  {
    name: 'account-expiration-range',
    pattern: /^the service-account-max-token-expiration must be between 1 hour and 2\^32 seconds$/,
    flags: ['service-account-max-token-expiration'],
    meaning: 'The maximum lifetime of new tokens is less than an hour or more than 136 years.',
    fix: 'Set a duration in this range, such as 24h, or remove the flag.',
  },
  {
    name: 'token-request-invalid',
    pattern: /^TokenRequest\.authentication\.\S+ "(?<name>.*?)" is invalid: (?<why>.*)$/s,
    meaning: 'A token request was rejected: {why}.',
    fix: 'The lifetime must be between ten minutes and 2^32 seconds, and the request may only name the service account in its path.',
  },
  {
    name: 'token-request-invalid',
    pattern:
      /^Invalid value: .*: (?:may not specify a duration (?:less|larger) than .*|must match the service account (?:name|namespace) if specified)$/s,
    meaning: 'A field of a token request is invalid.',
    fix: 'The lifetime must be between ten minutes and 2^32 seconds, and the request may only name the service account in its path.',
  },
  {
    name: 'token-request-conflict',
    pattern:
      /^Operation cannot be fulfilled on (?<kind>\S+) "(?<name>[^"]*)": the UID in the (?<what>[^(]*) \((?<got>[^)]*)\) does not match the UID (?:of|in) .*$/s,
    meaning:
      'A token request refers to {name} with a UID that is not, or no longer, the UID of this object.',
    fix: 'Omit the UID, or get the current UID of the object.',
  },
  {
    name: 'token-request-uid-mismatch',
    pattern:
      /^the UID in the token request \((?<got>[^)]*)\) does not match the UID of the service account \((?<own>[^)]*)\) but (?<gate>\w+) is not enabled\. .*$/s,
    flags: ['feature-gates'],
    meaning:
      'A token was requested with the UID {got}, which is not, or no longer, the UID of the service account. It was issued because the feature gate {gate} is disabled.',
    fix: 'Omit the UID, or get the current UID of the service account.',
  },
  {
    name: 'token-request-node-gate',
    pattern: /^cannot bind token to a Node object as the "(?<gate>\w+)" feature-gate is disabled$/,
    flags: ['feature-gates'],
    meaning:
      'Tokens that are bound to a node are only issued with the feature gate {gate}, which is disabled.',
    fix: 'Enable it with --feature-gates, or bind the token to a pod.',
  },
  {
    name: 'token-request-other-account',
    pattern:
      /^cannot bind token for serviceaccount "(?<account>.*)" to pod running with different serviceaccount name\.$/s,
    meaning: 'The pod to bind the token to runs as another service account.',
    fix: 'Request a token for the service account of the pod.',
  },
  {
    name: 'token-request-object',
    pattern: /^cannot bind token to object of type (?<type>.*)$/s,
    meaning: 'A token can be bound to a pod, a node or a secret, but not to {type}.',
    fix: 'Bind the token to one of these, with apiVersion v1.',
  },
  {
    name: 'token-request-shortened',
    pattern: /^requested expiration of (?<asked>\d+) seconds shortened to (?<given>\d+) seconds$/,
    flags: ['service-account-max-token-expiration'],
    meaning:
      'A token was requested for {asked} seconds, but issued for {given}, the maximum of the server.',
    fix: 'Read the expiration from the response, and request a new token before it expires.',
  },
];
