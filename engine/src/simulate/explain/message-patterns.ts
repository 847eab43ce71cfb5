/**
 * A table of kube-apiserver's log messages about authentication: a pattern, its meaning, how to fix
 * the cause, and the part of the configuration that it is about.
 */

/** The part of the configuration that a message is about; the captured facts narrow it down. */
export type MessageSubject =
  | 'issuer'
  | 'audiences'
  | 'username'
  | 'groups'
  | 'uid'
  | 'extra'
  | 'claim rule'
  | 'user rule'
  | 'anonymous'
  | 'field'
  | 'file'
  | 'none';

export interface MessagePattern {
  readonly name: string;
  /** Matches the whole message. Its named groups fill the `{…}` of the sentences. */
  readonly pattern: RegExp;
  readonly subject: MessageSubject;
  /** Set if only the expression form of the subject can have caused the message. */
  readonly form?: 'expression';
  readonly meaning: string;
  readonly fix: string;
}

/** Messages that follow `oidc: verify token: ` or `verify distributed claim token: `. */
export const verificationPatterns: readonly MessagePattern[] = [
  {
    name: 'token-refused-by-limit',
    pattern: /^refused: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: 'AuthGraph rejects this token; kube-apiserver would read on: {cause}.',
    fix: 'docs/differences.md names the rule and its reason; the issuer has to make an ordinary token.',
  },
  {
    name: 'token-malformed',
    pattern: /^oidc: malformed jwt(?:[ ,:].*)?$/s,
    subject: 'issuer',
    meaning:
      'The token is not a readable signed JWT: its header or signature part is damaged, or the header holds something that no JWT library accepts.',
    fix: 'Look at how the token reaches the server: cut at a line end, quoted twice, or another string than the ID token. The issuer and the rules are not the cause.',
  },
  {
    name: 'token-algorithm-refused',
    pattern:
      /^oidc: id token signed with unsupported algorithm, expected \[(?<allowed>.*)\] got "(?<algorithm>.*)"$/s,
    subject: 'issuer',
    meaning: 'The token’s header names the algorithm {algorithm}, which is not allowed here.',
    fix: 'Let the issuer sign with one of the allowed algorithms. With --oidc-* flags only RS256 is allowed unless --oidc-signing-algs lists more; with a file all nine are.',
  },
  {
    name: 'token-signature-invalid',
    pattern: /^(?:failed to verify signature: )?failed to verify id token signature$/,
    subject: 'issuer',
    meaning:
      'No key of the issuer made this signature: the token was changed, comes from another issuer with the same URL, or its key was removed or is too new for the cached key set.',
    fix: 'Compare the kid of the token’s header with the issuer’s key set. After a rotation the server may keep the old set for as long as the issuer’s Cache-Control says.',
  },
  {
    name: 'issuer-keys-unreadable',
    pattern:
      /^(?:failed to verify signature: )?fetching keys oidc: failed to decode keys: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning:
      'The issuer’s key set cannot be read, so every token of this issuer is refused. One malformed key (unknown type or curve, damaged number, repeated member) spoils the whole set.',
    fix: 'Fix the key set at the issuer, or remove the malformed key from it; the text behind the error says which member it stopped at.',
  },
  {
    name: 'issuer-keys-unreachable',
    pattern:
      /^(?:failed to verify signature: )?fetching keys (?<cause>oidc: (?:get keys failed|can't create request).*|unable to read response body.*)$/s,
    subject: 'issuer',
    meaning:
      'The issuer’s keys could not be fetched from its jwks_uri, and no cached key fits this token.',
    fix: 'Fetch the jwks_uri of the discovery document from where the server runs: address, proxy, firewall, and the roots in certificateAuthority.',
  },
  {
    name: 'issuer-keys-unreachable',
    pattern: /^failed to verify signature: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: 'The signature could not be checked.',
    fix: 'See the text behind the error.',
  },
  {
    name: 'token-claims-mistyped',
    pattern: /^oidc: failed to unmarshal claims: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning:
      'A claim that the server itself reads (iss, sub, aud, exp, iat, nbf, nonce, at_hash, _claim_names, _claim_sources) has the wrong JSON type: {cause}.',
    fix: 'Let the issuer send texts for sub and iss, numbers for exp, nbf and iat, and a text or a list of texts for aud. The server reads these claims even when no mapping uses them.',
  },
  {
    name: 'claim-source-missing',
    pattern: /^oidc: (?:source does not exist|failed to obtain source from claim name)$/,
    subject: 'issuer',
    meaning: 'The token’s _claim_names points at a source that _claim_sources does not have.',
    fix: 'Fix the distributed claims at the issuer.',
  },
  {
    name: 'token-issuer-mismatch',
    pattern:
      /^oidc: id token issued by a different provider, expected "(?<expected>.*)" got "(?<issuer>.*)"$/s,
    subject: 'issuer',
    meaning: 'The token’s iss is {issuer}, which is not exactly the configured issuer URL.',
    fix: 'Write issuer.url exactly as the iss claim has it: scheme, case, port and slash at the end count.',
  },
  {
    name: 'token-audience-mismatch',
    pattern:
      /^oidc: expected audience (?:in )?(?<audiences>"(?:[^"\\]|\\.)*"|\[.*?\]) got \[(?<got>.*)\]$/s,
    subject: 'audiences',
    meaning: 'The token’s aud is [{got}], and none of them is an audience of this issuer’s entry.',
    fix: 'Add the client ID that the token was issued for to issuer.audiences, or let the client ask for a token for one that is listed.',
  },
  {
    name: 'token-expired',
    pattern: /^oidc: token is expired \(Token Expiry: (?<expiry>.*)\)$/s,
    subject: 'issuer',
    meaning:
      'The token’s exp has passed (it said {expiry}). There is no leeway; a token without exp counts as expired in the year 1.',
    fix: 'Get a fresh token. If it is fresh, compare the clocks of issuer and server.',
  },
  {
    name: 'token-not-yet-valid',
    pattern: /^oidc: current time (?<now>.*) before the nbf \(not before\) time: (?<nbf>.*)$/s,
    subject: 'issuer',
    meaning:
      'The token is valid from {nbf} on, and for the server it was {now}; 60 seconds of leeway were already given.',
    fix: 'Compare the clocks of issuer and server.',
  },
  {
    name: 'token-unsigned',
    pattern: /^oidc: (?:id token not signed|multiple signatures on id token not supported)$/,
    subject: 'issuer',
    meaning: 'The token carries no signature, or several.',
    fix: 'Send the ID token as the issuer made it, in compact form with one signature.',
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
    subject: 'groups',
    meaning:
      'The groups of this token stand in a second token of the issuer {issuer}, whose keys were not known yet. The first token that needs an issuer is always refused.',
    fix: 'Try again after a few seconds. If it goes on, the discovery document of that issuer cannot be read from where the server runs.',
  },
  {
    name: 'distributed-claim-unreachable',
    pattern: /^while getting distributed claim "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'groups',
    meaning:
      'The token says that the claim {claim} is kept elsewhere, and its endpoint did not answer with it: {cause}.',
    fix: 'Check the endpoint in the token’s _claim_sources from where the server runs, and the access token in it.',
  },
  {
    name: 'distributed-claim-unreadable',
    pattern:
      /^getting untrusted issuer from endpoint (?<endpoint>.*?) failed for claim "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'groups',
    meaning:
      'The endpoint for the claim {claim} answered with something that is not a JWT: {cause}.',
    fix: 'The endpoint must answer with one signed token as its body.',
  },
  {
    name: 'distributed-claim-absent',
    pattern:
      /^(?:jwt returned by distributed claim endpoint "(?<endpoint>.*?)" did not contain claim: (?<claim>.*)|could not parse distributed claims for claim .*)$/s,
    subject: 'groups',
    meaning: 'The second token came and was good, but the claim {claim} is not in it.',
    fix: 'Let the endpoint put the claim under the very name that the first token announces.',
  },
  {
    name: 'distributed-claims-malformed',
    pattern: /^(?:oidc: |id token _claim_names).*$/s,
    subject: 'groups',
    meaning: 'The token’s _claim_names and _claim_sources do not fit together.',
    fix: 'Fix the distributed claims at the issuer.',
  },
  {
    name: 'distributed-claim-unreachable',
    pattern: /^(?:context canceled|refused: more than \d+ distributed claims are being fetched)$/,
    subject: 'groups',
    meaning:
      'The groups of this token are at another endpoint, and the request ended, or too many others were waiting, before the endpoint responded.',
    fix: 'Check why the endpoint in the token’s _claim_sources responds slowly.',
  },
];

/** Messages without a common prefix. */
export const topPatterns: readonly MessagePattern[] = [
  {
    name: 'no-authenticator-took-token',
    pattern: /^invalid bearer token$/,
    subject: 'issuer',
    meaning:
      'No authenticator took the token, or the one that did refused it. Alone, this text means that no configured issuer is the token’s iss; together with another error, that error is the cause.',
    fix: 'Compare the token’s iss with issuer.url of every entry: they must be equal letter by letter.',
  },
  {
    name: 'request-canceled',
    pattern: /^(?:context (?:canceled|deadline exceeded)|authentication timed out)$/,
    subject: 'none',
    meaning: 'The client went away, or ran out of patience, before its token was decided.',
    fix: 'Look whether the issuer answers slowly: the first token waits for its keys.',
  },
  {
    name: 'too-many-checks',
    pattern: /^refused: too many tokens are waiting for issuers or webhooks$/,
    subject: 'none',
    meaning: 'Tokens that wait for an issuer or a webhook use up their share of the memory.',
    fix: 'Find out why the issuer or the webhook answers slowly, or give the container more memory.',
  },
  {
    name: 'internal-error',
    pattern:
      /^(?:Internal error occurred: authentication failed unexpectedly|audience agnostic authenticator wrapped an authenticator that returned audiences: .*)$/s,
    subject: 'none',
    meaning: 'The server itself failed while it decided; the request was refused.',
    fix: 'The lines around it in the log tell more. Report it to the makers of the server.',
  },
  {
    name: 'issuer-not-initialized',
    pattern: /^oidc: authenticator not initialized$/,
    subject: 'issuer',
    meaning:
      'The server has not read the issuer’s discovery document yet, or its attempts failed. It tries every 10 seconds.',
    fix: 'Look for earlier lines about this issuer; then check that its discovery document can be fetched from where the server runs and names exactly this issuer.',
  },
  {
    name: 'issuer-not-initialized',
    pattern:
      /^oidc: authenticator for issuer "(?<issuer>.*?)" is not (?:initialized|healthy)(?:: (?<cause>.*))?$/s,
    subject: 'issuer',
    meaning: 'The discovery document of {issuer} could not be read yet.',
    fix: 'Fetch it from where the server runs: address, proxy, firewall, and the roots in certificateAuthority.',
  },
  {
    name: 'issuer-discovery-mismatch',
    pattern:
      /^(?:oidc authenticator: initializing plugin: )?oidc: issuer did not match the issuer returned by provider, expected "(?<issuer>.*?)" got "(?<got>.*?)"$/s,
    subject: 'issuer',
    meaning: 'The discovery document names the issuer {got}, but the configuration says {issuer}.',
    fix: 'Write issuer.url exactly as the discovery document spells its issuer; the slash at the end counts.',
  },
  {
    name: 'issuer-discovery-failed',
    pattern:
      /^oidc authenticator: (?:initializing plugin|async token verifier for issuer: "(?<issuer>.*?)"|error getting JWKS URL): (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: 'The issuer’s discovery document could not be fetched or read: {cause}.',
    fix: 'Fetch it from where the server runs: address, proxy, firewall, and the roots in certificateAuthority.',
  },
  {
    name: 'issuer-discovery-failed',
    pattern: /^provider did not return JWKS URL$/,
    subject: 'issuer',
    meaning: 'The discovery document has no jwks_uri, so there is no place to get keys from.',
    fix: 'Fix the discovery document at the issuer.',
  },
  {
    name: 'issuer-verifier-missing',
    pattern: /^verifier not initialized for issuer: "(?<issuer>.*)"$/s,
    subject: 'issuer',
    meaning: 'The keys of {issuer} are not known yet.',
    fix: 'Try again after a few seconds.',
  },
  {
    name: 'username-claim-missing',
    pattern: /^oidc: parse username claims "(?<claim>.*)": claim not present$/s,
    subject: 'username',
    meaning: 'The token has no claim {claim}, which is mapped to the username.',
    fix: 'Map a claim that every token of this issuer has (sub always is), or let the issuer send this one. Names are exact: case counts, and a dot does not look into an object.',
  },
  {
    name: 'username-claim-mistyped',
    pattern: /^oidc: parse username claims "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'username',
    meaning: 'The claim {claim} is mapped to the username, but it is not a text: {cause}.',
    fix: 'Map another claim, or write an expression that makes a text of it.',
  },
  {
    name: 'email-verified-mistyped',
    pattern: /^oidc: parse 'email_verified' claim: (?<cause>.*)$/s,
    subject: 'username',
    meaning:
      'The username is the email claim, so email_verified must be true or absent; the token has it in another type.',
    fix: 'Let the issuer send a JSON boolean, or map the username with an expression that reads it as it is sent.',
  },
  {
    name: 'email-not-verified',
    pattern: /^oidc: email not verified$/,
    subject: 'username',
    meaning: 'The username is the email claim, and the token’s email_verified is false or null.',
    fix: 'Let the user verify the address at the issuer, or map another claim to the username.',
  },
  {
    name: 'username-empty',
    pattern: /^oidc: empty username via CEL expression is not allowed$/,
    subject: 'username',
    form: 'expression',
    meaning: 'The expression for the username gave an empty text.',
    fix: 'Let the expression fall back to another claim, or refuse such tokens with a rule that says why.',
  },
  {
    name: 'username-empty',
    pattern: /^oidc: username claim "(?<claim>.*)" is empty$/s,
    subject: 'username',
    meaning:
      'The claim {claim} is empty, and an identity needs a name. AuthGraph rejects it; kube-apiserver would use the bare prefix as the name.',
    fix: 'Let the issuer fill the claim, or map another one.',
  },
  {
    name: 'claims-not-converted',
    pattern: /^oidc: could not convert claims to unstructured: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: 'The claims of the token cannot be converted to values of an expression: {cause}.',
    fix: 'Let the issuer send a number that fits into 64 bits, or the value as a string.',
  },
  {
    name: 'identity-refused-by-limit',
    pattern: /^oidc: refused: (?<cause>.*)$/s,
    subject: 'groups',
    meaning: 'AuthGraph refuses an identity of this size: {cause}.',
    fix: 'docs/limits.md has the numbers. Map fewer groups, or filter them with an expression.',
  },
  {
    name: 'groups-claim-mistyped',
    pattern: /^oidc: parse groups claim "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'groups',
    meaning:
      'The claim {claim} is mapped to the groups, but it is neither a text nor a list of texts: {cause}.',
    fix: 'Let the issuer send texts, or write an expression that makes a list of texts of it.',
  },
  {
    name: 'uid-claim-missing',
    pattern: /^oidc: parse uid claim "(?<claim>.*)": claim not present$/s,
    subject: 'uid',
    meaning:
      'The token has no claim {claim}, which is mapped to the UID; a mapped UID must be there.',
    fix: 'Map a claim that every token has, or write an expression: claims.?uid.orValue("").',
  },
  {
    name: 'uid-claim-mistyped',
    pattern: /^oidc: parse uid claim "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'uid',
    meaning: 'The claim {claim} is mapped to the UID, but it is not a text: {cause}.',
    fix: 'Map another claim, or write an expression that makes a text of it.',
  },
  {
    name: 'required-claim-missing',
    pattern: /^oidc: required claim (?<claim>.*) not present in ID token$/s,
    subject: 'claim rule',
    meaning: 'A claim validation rule asks for the claim {claim}, and the token does not have it.',
    fix: 'Let the issuer send it, or drop the rule.',
  },
  {
    name: 'required-claim-mismatch',
    pattern:
      /^oidc: required claim (?<claim>.*?) value does not match\. Got = (?<got>.*), want = ?(?<want>.*)$/s,
    subject: 'claim rule',
    meaning: 'A claim validation rule asks that the claim {claim} be {want}; the token has {got}.',
    fix: 'This is the rule at work. If the token should pass, change requiredValue; the comparison is exact.',
  },
  {
    name: 'required-claim-mistyped',
    pattern: /^oidc: parse claim (?<claim>.*?): (?<cause>.*)$/s,
    subject: 'claim rule',
    meaning:
      'A claim validation rule compares the claim {claim} with a text, but the token has it in another type: {cause}.',
    fix: 'Write the rule as an expression, for example claims.{claim} == true.',
  },
  {
    name: 'token-claims-mistyped',
    pattern: /^oidc: parse claims: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: 'The token’s claims cannot be read as a JSON object: {cause}.',
    fix: 'Let the issuer send a JSON object.',
  },
  {
    name: 'api-audience-mismatch',
    pattern: /^unable to match the audience: .*$/s,
    subject: 'none',
    meaning: 'The identity was made, but for other audiences than those of --api-audiences.',
    fix: 'Ask for a token for one of the audiences of this API, or extend --api-audiences.',
  },
  {
    name: 'signing-algorithm-unknown',
    pattern: /^oidc: unsupported signing alg: "(?<algorithm>.*)"$/s,
    subject: 'none',
    meaning:
      '--oidc-signing-algs names {algorithm}, which is not one of the nine that may be allowed.',
    fix: 'Use RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512.',
  },
  {
    name: 'flags-exclude-file',
    pattern: /^authentication-config file and oidc-\* flags are mutually exclusive$/,
    subject: 'none',
    meaning: 'The server was started with --authentication-config and with an --oidc-* flag.',
    fix: 'Write the issuer as a jwt entry of the file and drop the --oidc-* flags, even those with their default value.',
  },
  {
    name: 'oidc-flags-incomplete',
    pattern:
      /^oidc-issuer-url and oidc-client-id must be specified together when any oidc-\* flags are set$/,
    subject: 'none',
    meaning: 'One of the two flags that every --oidc-* configuration needs is missing.',
    fix: 'Give both --oidc-issuer-url and --oidc-client-id, or none of the --oidc-* flags.',
  },
  {
    name: 'egress-lookup-missing',
    pattern: /^oidc: egress lookup required with egress selector type "(?<type>.*)"$/s,
    subject: 'file',
    meaning:
      'The file names the egress selector type {type}, and the server has no egress configuration.',
    fix: 'Remove egressSelectorType. On kube-apiserver, --egress-selector-config-file would provide the configuration.',
  },
  {
    name: 'anonymous-flag-and-section',
    pattern:
      /^anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file$/,
    subject: 'anonymous',
    meaning: 'The file has an anonymous section, and the flag --anonymous-auth is given too.',
    fix: 'Remove the flag, or the section. Any value of the flag collides, also true.',
  },
  {
    name: 'anonymous-changed',
    pattern: /^anonymous: Forbidden: changed from initial configuration file$/,
    subject: 'anonymous',
    meaning:
      'The anonymous section was changed while the server ran; it is read at start only, so the whole reload was refused and the old configuration goes on.',
    fix: 'Restart the server, or put the section back as it was.',
  },
  {
    name: 'file-empty',
    pattern: /^empty config data$/,
    subject: 'file',
    meaning: 'The file is empty.',
    fix: 'Start with apiVersion: apiserver.config.k8s.io/v1 and kind: AuthenticationConfiguration. Was it half-written when it was read?',
  },
  {
    name: 'file-without-kind',
    pattern: /^Object '(?<field>Kind|apiVersion)' is missing in '(?<text>.*)'$/s,
    subject: 'file',
    meaning: 'The file does not say {field}, so the server cannot tell what it is.',
    fix: 'Start with apiVersion: apiserver.config.k8s.io/v1 and kind: AuthenticationConfiguration.',
  },
  {
    name: 'file-kind-unknown',
    pattern:
      /^no kind "(?<kind>.*?)" is registered for version "(?<version>.*?)"(?: in scheme ".*")?$/s,
    subject: 'file',
    meaning: 'This server does not know the kind {kind} in version {version}.',
    fix: 'Use kind AuthenticationConfiguration with apiserver.config.k8s.io/v1 (from 1.34 on), v1beta1 or v1alpha1.',
  },
  {
    name: 'file-kind-other',
    pattern: /^expected AuthenticationConfiguration, got (?<got>.*)$/s,
    subject: 'file',
    meaning: 'The file is a good configuration, but of another kind ({got}).',
    fix: 'Name the right file with --authentication-config.',
  },
  {
    name: 'file-duplicate-key',
    pattern:
      /^strict decoding error: yaml: unmarshal errors:(?<cause>.*key ".*" already set in map)$/s,
    subject: 'field',
    meaning: 'A key stands twice in one map of the file: {cause}.',
    fix: 'Keep one of the two.',
  },
  {
    name: 'file-strict-decoding',
    pattern: /^strict decoding error: (?<cause>.*)$/s,
    subject: 'field',
    meaning: 'The file has fields that do not exist, or the same field twice: {cause}.',
    fix: 'Compare the spelling: names are exact, upper and lower case count. `authgraph check` marks each place.',
  },
  {
    name: 'file-type-mismatch',
    pattern:
      /^json: cannot unmarshal (?<got>\S+) into Go (?:struct field (?<struct>[^. ]*)\.?(?<path>[\w.-]*)|value) of type (?<type>.*)$/s,
    subject: 'field',
    meaning: 'A field has the wrong type: {path} was written as {got}, and must be {type}.',
    fix: 'Put quotes around values that YAML reads as numbers, booleans or dates: 017, 1.10, no, on. `authgraph check` marks the place.',
  },
  {
    name: 'file-yaml-broken',
    pattern: /^(?:error converting YAML to JSON: )?yaml: (?<cause>.*)$/s,
    subject: 'file',
    meaning: 'The file is not YAML that can be read: {cause}.',
    fix: '`authgraph check` marks the place.',
  },
  {
    name: 'gate-unknown',
    pattern: /^unrecognized feature gate: (?<gate>.*)$/s,
    subject: 'none',
    meaning: 'This release has no feature gate {gate}: too old, too new, or another spelling.',
    fix: 'Remove it from --feature-gates.',
  },
];

/** Reasons why an expression failed at run time, for expressions of any role. */
export const evaluationPatterns: readonly Omit<MessagePattern, 'subject'>[] = [
  {
    name: 'expression-key-missing',
    pattern: /^no such key: (?<key>.*)$/s,
    meaning: 'the token has no {key} there',
    fix: 'Read an optional claim with claims.?{key}.orValue(…), or ask first with has(claims.{key}).',
  },
  {
    name: 'expression-no-overload',
    pattern: /^no such overload.*$/s,
    meaning:
      'an operator or function met a value of a type that it does not take (claim numbers are doubles; claims itself is no map for `in` and `size`)',
    fix: 'Look at the types that the token really has. Use has(claims.x) in place of "x" in claims, and no integer arithmetic on claim numbers.',
  },
  {
    name: 'expression-index-out-of-bounds',
    pattern: /^index out of bounds: (?<index>.*)$/s,
    meaning: 'a list has no element {index}',
    fix: 'Ask for size() first, or read with list[?0].orValue(…).',
  },
  {
    name: 'expression-division-by-zero',
    pattern: /^(?:division|modulus) by zero$/,
    meaning: 'it divides by zero',
    fix: 'Guard the division with a condition.',
  },
  {
    name: 'expression-too-expensive',
    pattern: /^operation cancelled: actual cost limit exceeded$/,
    meaning: 'it did more work than the server allows one expression (1,000,000 cost units)',
    fix: 'Avoid comprehensions inside comprehensions and long ranges.',
  },
  {
    name: 'expression-overflow',
    pattern: /^.*overflow$/s,
    meaning: 'a number left the range of its type',
    fix: 'Guard the arithmetic with a condition.',
  },
  {
    name: 'expression-conversion-failed',
    pattern: /^type conversion error from '(?<from>.*?)' to '(?<to>.*?)'$/s,
    meaning: 'a value of type {from} cannot be made a {to}',
    fix: 'Ask for the type first, or read another claim.',
  },
  {
    name: 'expression-failed',
    pattern: /^(?<cause>.*)$/s,
    meaning: '{cause}',
    fix: 'Try the expression with the token’s claims: `authgraph whoami --explain`.',
  },
];
