/** Message patterns for the verification of ID tokens and of tokens with distributed claims. */
import type { MessagePattern } from './message-patterns.ts';

/** Messages that follow `oidc: verify token: ` or `verify distributed claim token: `. */
export const verificationPatterns: readonly MessagePattern[] = [
  {
    name: 'token-refused-by-limit',
    pattern: /^refused: (?<cause>.*)$/s,
    meaning:
      'The token violates a limit or a rule that is stricter than in kube-apiserver: {cause}.',
    fix: 'See docs/differences.md for the rule and its reason. The issuer must send a token that conforms to it.',
  },
  {
    name: 'token-malformed',
    pattern: /^oidc: malformed jwt(?:[ ,:].*)?$/s,
    meaning:
      'The token is not a valid signed JWT: its header or signature cannot be decoded, or the header has a value that is not allowed.',
    fix: 'Check what the client sends: the token may be truncated at a line break, quoted twice, or not the ID token. The issuer and the rules are not the cause.',
  },
  {
    name: 'token-algorithm-refused',
    pattern:
      /^oidc: id token signed with unsupported algorithm, expected \[(?<allowed>.*)\] got "(?<algorithm>.*)"$/s,
    meaning: 'The token is signed with the algorithm {algorithm}, which is not allowed.',
    fix: 'Configure the issuer to sign with an allowed algorithm. With --oidc-* flags only RS256 is allowed, unless --oidc-signing-algs lists others; with a file all nine are allowed.',
  },
  {
    name: 'token-signature-invalid',
    pattern:
      /^(?:failed to verify signature: )?(?:failed to verify id token signature|no keys matche?s jwk keyid)$/,
    meaning:
      'No key of the issuer verifies the signature: the token was modified, was signed by another issuer with the same URL, or its key was removed or is newer than the cached key set.',
    fix: "Compare the kid of the token's header with the issuer's key set. After a rotation the server may use the old key set for as long as the issuer's Cache-Control allows.",
  },
  {
    name: 'issuer-keys-unreadable',
    pattern:
      /^(?:failed to verify signature: )?fetching keys oidc: failed to decode keys: (?<cause>.*)$/s,
    meaning:
      "The issuer's key set cannot be parsed, so every token of this issuer is rejected. One malformed key (unknown type or curve, invalid number, repeated member) makes the whole key set unusable.",
    fix: 'Fix the malformed key at the issuer, or remove it; the text after the error names the invalid member.',
  },
  {
    name: 'issuer-keys-unreachable',
    pattern:
      /^(?:failed to verify signature: )?fetching keys (?<cause>oidc: (?:get keys failed|can't create request).*|unable to read response body.*)$/s,
    meaning:
      "The issuer's keys could not be fetched from its jwks_uri, and no cached key matches this token.",
    fix: 'Fetch the jwks_uri of the discovery document from where the server runs; check the address, proxy, firewall, and the CA certificates in certificateAuthority.',
  },
  {
    name: 'issuer-keys-unreachable',
    pattern: /^failed to verify signature: (?<cause>.*)$/s,
    meaning: 'The signature could not be checked.',
    fix: 'See the text after the error.',
  },
  {
    name: 'token-claims-mistyped',
    pattern: /^oidc: failed to unmarshal claims: (?<cause>.*)$/s,
    meaning:
      'A standard claim (iss, sub, aud, exp, iat, nbf, nonce, at_hash, _claim_names, _claim_sources) has the wrong JSON type: {cause}.',
    fix: 'Configure the issuer to send strings for sub and iss, numbers for exp, nbf and iat, and a string or a list of strings for aud. The server parses these claims even if no mapping uses them.',
  },
  {
    name: 'claim-source-missing',
    pattern: /^oidc: (?:source does not exist|failed to obtain source from claim name)$/,
    meaning: "The token's _claim_names refers to a source that _claim_sources does not contain.",
    fix: 'Fix the distributed claims at the issuer.',
  },
  {
    name: 'token-issuer-mismatch',
    pattern:
      /^oidc: id token issued by a different provider, expected "(?<expected>.*)" got "(?<issuer>.*)"$/s,
    meaning: "The token's iss is {issuer}, which is not exactly the configured issuer URL.",
    fix: 'Set issuer.url to exactly the value of iss, including scheme, case, port and trailing slash.',
  },
  {
    name: 'token-audience-mismatch',
    pattern:
      /^oidc: expected audience (?:in )?(?<audiences>"(?:[^"\\]|\\.)*"|\[.*?\]) got \[(?<got>.*)\]$/s,
    subject: 'audiences',
    meaning: "The token's aud is [{got}], and none of these audiences is listed for this issuer.",
    fix: 'Add the client ID that the token was issued for to issuer.audiences, or have the client request a token for a listed audience.',
  },
  {
    name: 'token-expired',
    pattern: /^oidc: token is expired \(Token Expiry: (?<expiry>.*)\)$/s,
    meaning:
      'The token expired at {expiry}. There is no leeway; a token without exp counts as expired in the year 1.',
    fix: 'Get a new token. If a new token is rejected too, compare the clocks of issuer and server.',
  },
  {
    name: 'token-not-yet-valid',
    pattern: /^oidc: current time (?<now>.*) before the nbf \(not before\) time: (?<nbf>.*)$/s,
    meaning:
      "The token is not valid before {nbf}, and the server's time was {now}. A leeway of 60 seconds is already included.",
    fix: 'Compare the clocks of issuer and server.',
  },
  {
    name: 'token-unsigned',
    pattern: /^oidc: (?:id token not signed|multiple signatures on id token not supported)$/,
    meaning: 'The token has no signature, or more than one.',
    fix: 'Send the ID token exactly as issued, in compact form with one signature.',
  },
  {
    name: 'audiences-missing',
    pattern: /^oidc: invalid configuration, (?:audiences cannot be empty|clientID must .*)$/s,
    subject: 'audiences',
    meaning: 'The entry of this issuer has no audience.',
    fix: 'List at least one audience under issuer.audiences.',
  },
];

/** Messages that follow `oidc: could not expand distributed claims: `. */
export const distributedPatterns: readonly MessagePattern[] = [
  {
    name: 'distributed-issuer-unknown',
    pattern: /^verifying untrusted issuer (?<issuer>.*?) failed: (?<cause>.*)$/s,
    meaning:
      'The groups are in a second token from {issuer}, whose keys had not been fetched yet. The first token that needs an issuer is always rejected.',
    fix: 'Try again after a few seconds. If the error persists, check that the discovery document of that issuer can be fetched from where the server runs.',
  },
  {
    name: 'distributed-claim-unreachable',
    pattern: /^while getting distributed claim "(?<claim>.*?)": (?<cause>.*)$/s,
    meaning:
      'The claim {claim} is a distributed claim, and its endpoint did not return it: {cause}.',
    fix: "Call the endpoint in the token's _claim_sources from where the server runs, with the access token given there.",
  },
  {
    name: 'distributed-claim-unreadable',
    pattern:
      /^getting untrusted issuer from endpoint (?<endpoint>.*?) failed for claim "(?<claim>.*?)": (?<cause>.*)$/s,
    meaning: 'The endpoint for the claim {claim} did not return a JWT: {cause}.',
    fix: 'The endpoint must return one signed JWT as the response body.',
  },
  {
    name: 'distributed-claim-absent',
    pattern:
      /^(?:jwt returned by distributed claim endpoint "(?<endpoint>.*?)" did not contain claim: (?<claim>.*)|could not parse distributed claims for claim .*)$/s,
    meaning: 'The second token is valid but does not contain {claim}.',
    fix: 'The endpoint must return the claim under the name listed in _claim_names.',
  },
  {
    name: 'distributed-claims-malformed',
    pattern: /^(?:oidc: |id token _claim_names).*$/s,
    meaning: "The token's _claim_names and _claim_sources do not match.",
    fix: 'Fix the distributed claims at the issuer.',
  },
  {
    name: 'distributed-claim-unreachable',
    pattern: /^(?:context canceled|refused: more than \d+ distributed claims are being fetched)$/,
    meaning:
      'The groups are a distributed claim: the request ended before its endpoint responded, or too many distributed claims were being fetched.',
    fix: "Check why the endpoint in the token's _claim_sources responds slowly.",
  },
];
