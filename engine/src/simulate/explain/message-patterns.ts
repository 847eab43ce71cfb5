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
  /** The part of the configuration, unless it is that of most messages of the table. */
  readonly subject?: MessageSubject;
  /** Set if only the expression form of the subject can have caused the message. */
  readonly form?: 'expression';
  readonly meaning: string;
  readonly fix: string;
}

/** Messages without a common prefix. */
export const topPatterns: readonly MessagePattern[] = [
  {
    name: 'no-authenticator-took-token',
    pattern: /^invalid bearer token$/,
    subject: 'issuer',
    meaning:
      'No authenticator accepted the token. If this is the only error, no configured issuer matches its iss; otherwise the other error is the cause.',
    fix: "Compare the token's iss with issuer.url of every entry: one of them must be identical.",
  },
  {
    name: 'request-canceled',
    pattern: /^(?:context (?:canceled|deadline exceeded)|authentication timed out)$/,
    meaning: 'The client disconnected or timed out before the token was validated.',
    fix: 'Check whether the issuer responds slowly: the first token waits for its keys.',
  },
  {
    name: 'too-many-checks',
    pattern: /^refused: too many tokens are waiting for issuers or webhooks$/,
    meaning: 'Tokens that wait for an issuer or a webhook have used up their share of the memory.',
    fix: 'Find out why the issuer or the webhook responds slowly, or give the container more memory.',
  },
  {
    name: 'internal-error',
    pattern:
      /^(?:Internal error occurred: authentication failed unexpectedly|audience agnostic authenticator wrapped an authenticator that returned audiences: .*)$/s,
    meaning: 'An internal error of the server prevented a decision, and the request was rejected.',
    fix: 'See the surrounding log lines and report the bug.',
  },
  {
    name: 'issuer-not-initialized',
    pattern: /^oidc: authenticator not initialized$/,
    subject: 'issuer',
    meaning:
      "The server has not been able to read the issuer's discovery document yet. It retries every 10 seconds.",
    fix: 'Look for earlier log lines about this issuer. Check that its discovery document can be fetched from where the server runs and contains exactly this issuer.',
  },
  {
    name: 'issuer-not-initialized',
    pattern:
      /^oidc: authenticator for issuer "(?<issuer>.*?)" is not (?:initialized|healthy)(?:: (?<cause>.*))?$/s,
    subject: 'issuer',
    meaning: 'The discovery document of {issuer} could not be read yet.',
    fix: 'Fetch it from where the server runs; check the address, proxy, firewall, and the CA certificates in certificateAuthority.',
  },
  {
    name: 'issuer-discovery-mismatch',
    pattern:
      /^(?:oidc authenticator: initializing plugin: )?oidc: issuer did not match the issuer returned by provider, expected "(?<issuer>.*?)" got "(?<got>.*?)"$/s,
    subject: 'issuer',
    meaning: 'The issuer in the discovery document is {got}, but issuer.url is {issuer}.',
    fix: 'Set issuer.url to exactly the issuer in the discovery document, including the trailing slash.',
  },
  {
    name: 'issuer-discovery-failed',
    pattern:
      /^oidc authenticator: (?:initializing plugin|async token verifier for issuer: "(?<issuer>.*?)"|error getting JWKS URL): (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: "The issuer's discovery document could not be fetched or read: {cause}.",
    fix: 'Fetch it from where the server runs; check the address, proxy, firewall, and the CA certificates in certificateAuthority.',
  },
  {
    name: 'issuer-discovery-failed',
    pattern: /^provider did not return JWKS URL$/,
    subject: 'issuer',
    meaning: 'The discovery document has no jwks_uri, so the keys cannot be fetched.',
    fix: 'Fix the discovery document at the issuer.',
  },
  {
    name: 'issuer-verifier-missing',
    pattern: /^verifier not initialized for issuer: "(?<issuer>.*)"$/s,
    subject: 'issuer',
    meaning: 'The keys of {issuer} have not been fetched yet.',
    fix: 'Try again after a few seconds.',
  },
  {
    name: 'username-claim-missing',
    pattern: /^oidc: parse username claims "(?<claim>.*)": claim not present$/s,
    subject: 'username',
    meaning: 'The token has no claim {claim}, which is mapped to the username.',
    fix: 'Map a claim that every token of this issuer contains, such as sub, or configure the issuer to send this one. Claim names are case-sensitive, and a dot does not select a nested claim.',
  },
  {
    name: 'username-claim-mistyped',
    pattern: /^oidc: parse username claims "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'username',
    meaning: 'The claim {claim} is mapped to the username, but it is not a string: {cause}.',
    fix: 'Map another claim, or use an expression that converts it to a string.',
  },
  {
    name: 'email-verified-mistyped',
    pattern: /^oidc: parse 'email_verified' claim: (?<cause>.*)$/s,
    subject: 'username',
    meaning:
      'The username is mapped from the email claim, so email_verified must be true or absent, but it has another type.',
    fix: 'Configure the issuer to send a JSON boolean, or map the username with an expression that handles the value it sends.',
  },
  {
    name: 'email-not-verified',
    pattern: /^oidc: email not verified$/,
    subject: 'username',
    meaning:
      "The username is mapped from the email claim, and the token's email_verified is false or null.",
    fix: 'The user must verify the address at the issuer. Otherwise map another claim to the username.',
  },
  {
    name: 'username-empty',
    pattern: /^oidc: empty username via CEL expression is not allowed$/,
    subject: 'username',
    form: 'expression',
    meaning: 'The expression for the username returned an empty string.',
    fix: 'Change the expression to fall back to another claim, or reject such tokens with a rule that has a message.',
  },
  {
    name: 'username-empty',
    pattern: /^oidc: username claim "(?<claim>.*)" is empty$/s,
    subject: 'username',
    meaning:
      'The claim {claim} is empty. AuthGraph rejects empty usernames; kube-apiserver would use the prefix alone as the username.',
    fix: 'Set the claim at the issuer, or map another one.',
  },
  {
    name: 'claims-not-converted',
    pattern: /^oidc: could not convert claims to unstructured: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: 'The claims of the token cannot be converted to CEL values: {cause}.',
    fix: 'Configure the issuer to send a number that fits into 64 bits, or to send the value as a string.',
  },
  {
    name: 'identity-refused-by-limit',
    pattern: /^oidc: refused: (?<cause>.*)$/s,
    subject: 'groups',
    meaning: 'The identity exceeds a limit of AuthGraph: {cause}.',
    fix: 'Map fewer groups, or filter them with an expression. docs/limits.md lists the limits.',
  },
  {
    name: 'groups-claim-mistyped',
    pattern: /^oidc: parse groups claim "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'groups',
    meaning:
      'The claim {claim} is mapped to the groups, but it is neither a string nor a list of strings: {cause}.',
    fix: 'Configure the issuer to send strings, or use an expression that converts the claim to a list of strings.',
  },
  {
    name: 'uid-claim-missing',
    pattern: /^oidc: parse uid claim "(?<claim>.*)": claim not present$/s,
    subject: 'uid',
    meaning: 'The token has no claim {claim}, which is mapped to the UID and therefore required.',
    fix: 'Map a claim that every token contains, or use an expression: claims.?uid.orValue("").',
  },
  {
    name: 'uid-claim-mistyped',
    pattern: /^oidc: parse uid claim "(?<claim>.*?)": (?<cause>.*)$/s,
    subject: 'uid',
    meaning: 'The claim {claim} is mapped to the UID, but it is not a string: {cause}.',
    fix: 'Map another claim, or use an expression that converts it to a string.',
  },
  {
    name: 'required-claim-missing',
    pattern: /^oidc: required claim (?<claim>.*) not present in ID token$/s,
    subject: 'claim rule',
    meaning:
      'A claim validation rule requires the claim {claim}, which the token does not contain.',
    fix: 'Configure the issuer to send it, or remove the rule.',
  },
  {
    name: 'required-claim-mismatch',
    pattern:
      /^oidc: required claim (?<claim>.*?) value does not match\. Got = (?<got>.*), want = ?(?<want>.*)$/s,
    subject: 'claim rule',
    meaning:
      'A claim validation rule requires the claim {claim} to be {want}, but the token has {got}.',
    fix: 'The rule works as configured. If the token should be accepted, change requiredValue; the comparison is exact.',
  },
  {
    name: 'required-claim-mistyped',
    pattern: /^oidc: parse claim (?<claim>.*?): (?<cause>.*)$/s,
    subject: 'claim rule',
    meaning:
      'A claim validation rule compares the claim {claim} with a string, but the claim has another type: {cause}.',
    fix: 'Write the rule as an expression, for example claims.{claim} == true.',
  },
  {
    name: 'token-claims-mistyped',
    pattern: /^oidc: parse claims: (?<cause>.*)$/s,
    subject: 'issuer',
    meaning: "The token's claims cannot be parsed as a JSON object: {cause}.",
    fix: 'Configure the issuer to send a JSON object.',
  },
  {
    name: 'api-audience-mismatch',
    pattern: /^unable to match the audience: .*$/s,
    meaning: 'The token is valid, but not for one of the audiences in --api-audiences.',
    fix: 'Request a token for one of the audiences of this API, or extend --api-audiences.',
  },
  {
    name: 'signing-algorithm-unknown',
    pattern: /^oidc: unsupported signing alg: "(?<algorithm>.*)"$/s,
    meaning: '--oidc-signing-algs contains {algorithm}, which is not supported.',
    fix: 'Use RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512.',
  },
  {
    name: 'flags-exclude-file',
    pattern: /^authentication-config file and oidc-\* flags are mutually exclusive$/,
    meaning: 'The server was started with --authentication-config and with an --oidc-* flag.',
    fix: 'Add the issuer to the file as a jwt entry and remove all --oidc-* flags, even those set to their default.',
  },
  {
    name: 'oidc-flags-incomplete',
    pattern:
      /^oidc-issuer-url and oidc-client-id must be specified together when any oidc-\* flags are set$/,
    meaning:
      '--oidc-issuer-url or --oidc-client-id is missing; the other --oidc-* flags require both.',
    fix: 'Set both --oidc-issuer-url and --oidc-client-id, or none of the --oidc-* flags.',
  },
  {
    name: 'egress-lookup-missing',
    pattern: /^oidc: egress lookup required with egress selector type "(?<type>.*)"$/s,
    subject: 'file',
    meaning:
      'The file sets the egress selector type {type}, but the server has no egress configuration.',
    fix: 'Remove egressSelectorType. On kube-apiserver, --egress-selector-config-file would provide the configuration.',
  },
  {
    name: 'anonymous-flag-and-section',
    // Releases 1.31 to 1.33 misspell the name of the flag.
    pattern:
      /^anonymous: Forbidden: --anony[mn]ous-auth flag cannot be set when anonymous field is configured in authentication configuration file$/,
    subject: 'anonymous',
    meaning: 'The file has an anonymous section, and the flag --anonymous-auth is set too.',
    fix: 'Remove the flag or the section. Every value of the flag conflicts with the section, even true.',
  },
  {
    name: 'anonymous-changed',
    pattern: /^anonymous: Forbidden: changed from initial configuration file$/,
    subject: 'anonymous',
    meaning:
      'The anonymous section was changed while the server was running. It is read only at startup, so the reload was rejected and the previous configuration stays active.',
    fix: 'Restart the server, or restore the section.',
  },
  {
    name: 'file-empty',
    pattern: /^empty config data$/,
    subject: 'file',
    meaning: 'The file is empty.',
    fix: 'Start with apiVersion: apiserver.config.k8s.io/v1 and kind: AuthenticationConfiguration. If the file is not empty, it was read while it was being written.',
  },
  {
    name: 'file-without-kind',
    pattern: /^Object '(?<field>Kind|apiVersion)' is missing(?: in '.*)?$/s,
    subject: 'file',
    meaning: 'The file has no {field}, so its type is unknown.',
    fix: 'Start with apiVersion: apiserver.config.k8s.io/v1 and kind: AuthenticationConfiguration.',
  },
  {
    name: 'file-kind-unknown',
    pattern:
      /^no kind "(?<kind>.*?)" is registered for version "(?<version>.*?)"(?: in scheme ".*")?$/s,
    subject: 'file',
    meaning: 'This server does not support the kind {kind} in version {version}.',
    fix: 'Use kind AuthenticationConfiguration with apiserver.config.k8s.io/v1 (since 1.34), v1beta1 or v1alpha1.',
  },
  {
    name: 'file-kind-other',
    pattern: /^expected AuthenticationConfiguration, got (?<got>.*)$/s,
    subject: 'file',
    meaning: 'The file is a configuration of another kind ({got}).',
    fix: 'Set --authentication-config to a file with kind: AuthenticationConfiguration.',
  },
  {
    name: 'file-duplicate-key',
    pattern:
      /^strict decoding error: yaml: unmarshal errors:(?<cause>.*key ".*" already set in map)$/s,
    subject: 'field',
    meaning: 'A key is repeated in a map of the file: {cause}.',
    fix: 'Keep one of the two.',
  },
  {
    name: 'file-duplicate-key',
    pattern: /^(?:strict decoding error: )?(?<cause>duplicate field "[^"]*")$/,
    subject: 'field',
    meaning: 'A key is repeated in a map of the file: {cause}.',
    fix: 'Keep one of the two.',
  },
  {
    name: 'file-strict-decoding',
    pattern: /^strict decoding error: (?<cause>.*)$/s,
    subject: 'field',
    meaning: 'The file has unknown or repeated fields: {cause}.',
    fix: 'Check the spelling; field names are case-sensitive. `authgraph check` shows each location.',
  },
  {
    name: 'file-strict-decoding',
    pattern: /^(?<cause>(?:unknown|duplicate) field ".*)$/s,
    subject: 'field',
    meaning: 'The file has unknown or repeated fields: {cause}.',
    fix: 'Check the spelling; field names are case-sensitive. `authgraph check` shows each location.',
  },
  {
    name: 'file-version-unreadable',
    pattern: /^couldn't get version\/kind; json parse error: (?<cause>.*)$/s,
    subject: 'file',
    meaning: 'The file is not an object with apiVersion and kind: {cause}.',
    fix: 'Start with apiVersion: apiserver.config.k8s.io/v1 and kind: AuthenticationConfiguration.',
  },
  {
    name: 'file-type-mismatch',
    pattern:
      /^json: cannot unmarshal (?<got>\S+) into Go (?:struct field (?<struct>[^. ]*)\.?(?<path>[\w.-]*)|value) of type (?<type>.*)$/s,
    subject: 'field',
    meaning: 'A field has the wrong type: {path} is {got}, but must be {type}.',
    fix: 'Quote values that YAML parses as numbers, booleans or dates: 017, 1.10, no, on. `authgraph check` shows the location.',
  },
  {
    name: 'file-yaml-broken',
    pattern: /^(?:error converting YAML to JSON: )?yaml: (?<cause>.*)$/s,
    subject: 'file',
    meaning: 'The file is not valid YAML: {cause}.',
    fix: '`authgraph check` shows the location.',
  },
  {
    name: 'expression-error',
    pattern: /^ERROR: <input>:(?<line>\d+):(?<column>\d+): (?<cause>.*)$/s,
    subject: 'field',
    meaning:
      'An expression does not compile, at its line {line}, column {column}. The line above in the log names the field.',
    fix: '`authgraph check` shows the location in the file and how to fix it.',
  },
  {
    name: 'expression-error',
    pattern: /^(?:\|[^\n]*\n\s*)*\|? ?\.*\^$/,
    subject: 'field',
    meaning:
      'This is the end of an error in an expression: the caret points to the column. The lines above in the log name the field and the error.',
    fix: 'Copy these lines too, or run `authgraph check` on the file.',
  },
  {
    name: 'gate-unknown',
    pattern: /^unrecognized feature gate: (?<gate>.*)$/s,
    meaning:
      'This release has no feature gate {gate}: it was removed, was added later, or is misspelled.',
    fix: 'Remove it from --feature-gates.',
  },
];
