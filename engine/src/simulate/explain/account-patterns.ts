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
    meaning: 'AuthGraph rejects this service account token; kube-apiserver would read on: {why}.',
    fix: 'docs/differences.md names the rule and its reason.',
  },
  {
    name: 'account-signature-unknown',
    pattern:
      /^(?:go-jose\/go-jose: error in cryptographic primitive|invalid signature, no keys found)$/,
    module: bound,
    flags: ['service-account-key-file'],
    refusal: signature,
    meaning:
      'The token says that it is of a service account issuer of this server, and none of the server’s keys fits its signature. One such error stands for each key that was tried.',
    fix: 'Compare the token’s kid with /openid/v1/jwks. After a change of keys the old public key has to stay until its tokens are gone; all servers of a cluster need the same keys.',
  },
  {
    name: 'account-token-unreadable',
    pattern: /^(?:go-jose\/go-jose(?:\/jwt)?|square\/go-jose(?:\/jwt)?): (?<why>.*)$/s,
    module: bound,
    refusal: claims,
    meaning: 'The service account token, or a standard claim of it, cannot be read: {why}.',
    fix: 'Look who signed the token: the server itself makes all of them.',
  },
  {
    name: 'account-token-expired',
    pattern: /^service account token has expired$/,
    module: bound,
    refusal: time,
    meaning: 'The service account token is past its exp, by more than a minute.',
    fix: 'Read the token anew from its projected file: it is renewed there. A program that keeps it in memory has to read the file again; from the command line, kubectl create token.',
  },
  {
    name: 'account-token-early',
    pattern: /^service account token (?:is not valid yet|is issued in the future)$/,
    module: bound,
    refusal: time,
    meaning: 'The service account token begins in the future, by more than a minute.',
    fix: 'Compare the clocks of the servers: the one that made the token is ahead.',
  },
  {
    name: 'account-audience',
    pattern:
      /^token audiences \[(?<got>.*)\] is invalid for the target audiences \[(?<wanted>.*)\]$/s,
    module: bound,
    flags: ['api-audiences'],
    refusal: audience,
    meaning: 'The service account token is for {got}; this server, or this review, wants {wanted}.',
    fix: 'Ask for a token with one of these audiences (kubectl create token --audience), or extend --api-audiences.',
  },
  {
    name: 'account-not-found',
    pattern: /^(?<kind>serviceaccounts|pods|nodes|secrets) "(?<name>.*)" not found$/s,
    refusal: invalidated,
    meaning:
      'There is no {kind} {name}: the object that a service account token speaks of, or that a request for a token names, is gone.',
    fix: 'If it should be there, look who deleted it; else ask for a new token.',
  },
  {
    name: 'account-deleted',
    pattern: /^(?:service account|ServiceAccount) (?<account>\S*) has been deleted$/,
    refusal: invalidated,
    meaning: 'The service account {account} of the token is deleted, or is being deleted.',
    fix: 'Make the account and ask for a new token: tokens of the old one stay refused.',
  },
  {
    name: 'account-replaced',
    pattern:
      /^(?<kind>service account|ServiceAccount|pod|node|secret) UID \((?<uid>[^()]*)\) does not match (?:claim|service account (?:pod|node|secret) ref claim) \((?<claim>[^()]*)\)$/,
    refusal: invalidated,
    meaning:
      'The {kind} was deleted and made anew under the same name: the token is bound to the old one ({claim}; now {uid}).',
    fix: 'Ask for a new token.',
  },
  {
    name: 'account-token-invalidated',
    pattern: /^(?:service account token|Token) has been invalidated$/,
    refusal: invalidated,
    meaning: 'What the token is bound to is deleted, or its secret holds another token by now.',
    fix: 'Ask for a new token.',
  },
  {
    name: 'account-token-changed',
    pattern: /^Token does not match server's copy$/,
    module: legacy,
    refusal: invalidated,
    meaning: 'The secret that the token came from holds another token by now.',
    fix: 'Read the token anew from the secret, or better use a token of the TokenRequest API.',
  },
  {
    name: 'account-token-marked-invalid',
    pattern:
      /^the token in secret (?<secret>\S+) for service account (?<account>\S+) has been marked invalid\. .*$/s,
    module: legacy,
    refusal: invalidated,
    meaning:
      'The token of the secret {secret} was not used for a long time, and was marked so by the cluster.',
    fix: 'Use kubectl create token, or a projected volume. To gain time remove the label kubernetes.io/legacy-token-invalid-since from the secret.',
  },
  {
    name: 'account-claim-missing',
    pattern:
      /^(?<claim>sub|namespace|secretName|serviceAccountUID|serviceAccountName) claim is missing$/,
    module: legacy,
    refusal: claims,
    meaning: 'A token of a service account secret lacks the claim {claim}.',
    fix: 'Look who signed the token: the server itself makes all of them.',
  },
  {
    name: 'account-claim-wrong',
    pattern: /^sub claim is invalid$/,
    module: legacy,
    refusal: claims,
    meaning: 'The sub of the token is not that of the service account which its other claims name.',
    fix: 'Look who signed the token: the server itself makes all of them.',
  },
  {
    name: 'account-issuer-unknown',
    pattern: /^token issuer "(?<issuer>.*)" is invalid$/s,
    module: bound,
    flags: ['service-account-issuer'],
    refusal: claims,
    meaning:
      'A key of this server fits the token, and its issuer {issuer} is none of --service-account-issuer.',
    fix: 'After a change of the issuer name the old one as a further --service-account-issuer until its tokens are gone.',
  },
  {
    name: 'account-node-gate',
    pattern:
      /^token (?:is bound to a Node object but the|bound to Node object requested, but) "?(?<gate>\w+)"? feature gate is disabled$/,
    flags: ['feature-gates'],
    refusal: claims,
    meaning: 'Tokens that are bound to a node need the feature gate {gate}, which is off.',
    fix: 'Turn it on in --feature-gates, or bind the token to a pod.',
  },
  {
    name: 'account-claims-invalid',
    pattern: /^service account token claims could not be validated(?:: (?<why>.*)| due to .*)$/s,
    module: bound,
    refusal: claims,
    meaning: 'The claims of the service account token are not in order.',
    fix: 'Look who signed the token: the server itself makes all of them.',
  },
  {
    name: 'account-keys-twice',
    pattern:
      /^cannot set mutually exclusive flags `--service-account-key-file` and `--service-account-signing-endpoint` at the same time$/,
    flags: ['service-account-key-file', 'service-account-signing-endpoint'],
    meaning: 'Keys come from files or from a signing endpoint, not from both.',
    fix: 'Drop one of the two flags.',
  },
  {
    name: 'account-keys-unusable',
    pattern: /^failed to set up public service account keys: (?<why>.*)$/s,
    flags: ['service-account-key-file'],
    meaning: 'The public keys of service accounts cannot be used: {why}.',
    fix: 'Look at each file of --service-account-key-file: PEM, RSA or ECDSA.',
  },
  {
    name: 'account-keys-unreadable',
    pattern:
      /^(?:error reading public key file (?<file>.*?): )?data does not contain any valid RSA or ECDSA public keys$/s,
    module: bound,
    flags: ['service-account-key-file'],
    meaning: 'A file of public keys holds no key that can be read.',
    fix: 'It must be PEM: PUBLIC KEY, RSA or EC keys, or certificates; Ed25519 does not do.',
  },
  {
    name: 'account-signing-key-unreadable',
    pattern:
      /^(?:failed to parse service-account-issuer-key-file|failed to build token generator): (?<why>.*)$/s,
    flags: ['service-account-signing-key-file'],
    meaning: 'The key that signs new tokens cannot be used: {why}.',
    fix: 'It must be one RSA or ECDSA private key in PEM, readable only by the server.',
  },
  {
    name: 'account-issuer-required',
    pattern: /^service-account-issuer is a required flag$/,
    flags: ['service-account-issuer'],
    meaning: 'The server does not know under which name it issues tokens.',
    fix: 'Give --service-account-issuer; the first one issues, all are accepted.',
  },
  {
    name: 'account-issuer-invalid',
    pattern:
      /^service-account-issuer (?:should not be an empty string|".*" (?:is already specified|contained a ':' but was not a valid URL: .*))$/s,
    flags: ['service-account-issuer'],
    meaning:
      'A value of --service-account-issuer is empty, repeated, or no URL although it has a colon.',
    fix: 'Write each issuer once, as a text without a colon or as a whole URL.',
  },
  {
    name: 'account-keys-required',
    pattern:
      /^either `--service-account-key-file` or `--service-account-signing-endpoint` must be set$/,
    flags: ['service-account-key-file'],
    meaning: 'The server has no keys to check tokens of service accounts with.',
    fix: 'Name the file with the public keys.',
  },
  {
    name: 'account-keys-address',
    pattern:
      /^service-account-jwks-uri (?:requires https scheme, parsed as|must be a valid URL): (?<why>.*)$/s,
    flags: ['service-account-jwks-uri'],
    meaning:
      'The address of the key set, published in the discovery document, cannot be used: {why}.',
    fix: 'Write an https URL, or leave the flag out.',
  },
  {
    name: 'account-expiration-range',
    pattern: /^the service-account-max-token-expiration must be between 1 hour and 2\^32 seconds$/,
    flags: ['service-account-max-token-expiration'],
    meaning: 'The longest life of new tokens is shorter than an hour, or longer than 136 years.',
    fix: 'Write a duration in between, 24h for instance, or leave the flag out.',
  },
  {
    name: 'token-request-invalid',
    pattern: /^TokenRequest\.authentication\.\S+ "(?<name>.*?)" is invalid: (?<why>.*)$/s,
    meaning: 'A request for a token was refused: {why}.',
    fix: 'A token lives from ten minutes to 2^32 seconds, and the request names the account of its path or none.',
  },
  {
    name: 'token-request-invalid',
    pattern:
      /^Invalid value: .*: (?:may not specify a duration (?:less|larger) than .*|must match the service account (?:name|namespace) if specified)$/s,
    meaning: 'A field of a request for a token is refused.',
    fix: 'A token lives from ten minutes to 2^32 seconds, and the request names the account of its path or none.',
  },
  {
    name: 'token-request-conflict',
    pattern:
      /^Operation cannot be fulfilled on (?<kind>\S+) "(?<name>[^"]*)": the UID in the (?<what>[^(]*) \((?<got>[^)]*)\) does not match the UID (?:of|in) .*$/s,
    meaning: 'A request for a token names {name} by a UID that is not, or no longer, its own.',
    fix: 'Leave the UID out, or read the object anew.',
  },
  {
    name: 'token-request-uid-mismatch',
    pattern:
      /^the UID in the token request \((?<got>[^)]*)\) does not match the UID of the service account \((?<own>[^)]*)\) but (?<gate>\w+) is not enabled\. .*$/s,
    flags: ['feature-gates'],
    meaning:
      'A token was asked for with the UID {got}, which is not, or no longer, that of the account; it was given because the feature gate {gate} is off.',
    fix: 'Leave the UID out, or read the account anew.',
  },
  {
    name: 'token-request-node-gate',
    pattern: /^cannot bind token to a Node object as the "(?<gate>\w+)" feature-gate is disabled$/,
    flags: ['feature-gates'],
    meaning:
      'Tokens that are bound to a node are made with the feature gate {gate} alone, which is off.',
    fix: 'Turn it on in --feature-gates, or bind the token to a pod.',
  },
  {
    name: 'token-request-other-account',
    pattern:
      /^cannot bind token for serviceaccount "(?<account>.*)" to pod running with different serviceaccount name\.$/s,
    meaning: 'The pod that the token should be bound to runs as another service account.',
    fix: 'Ask for a token of the account that the pod runs as.',
  },
  {
    name: 'token-request-object',
    pattern: /^cannot bind token to object of type (?<type>.*)$/s,
    meaning: 'A token can be bound to a pod, a node or a secret, and not to {type}.',
    fix: 'Name one of these with its apiVersion v1.',
  },
  {
    name: 'token-request-shortened',
    pattern: /^requested expiration of (?<asked>\d+) seconds shortened to (?<given>\d+) seconds$/,
    flags: ['service-account-max-token-expiration'],
    meaning:
      'A token was asked for {asked} seconds and is good for {given}: the server allows no more.',
    fix: 'Read the expiration from the answer and ask again in time.',
  },
];
