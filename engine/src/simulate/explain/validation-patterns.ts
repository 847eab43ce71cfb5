/**
 * A table of kube-apiserver's validation errors for configurations: field, type of error and
 * detail, with our code for the same rule. A test compares it with the compiler's diagnostics.
 */

export interface ValidationPattern {
  readonly code: string;
  readonly name: string;
  /** Matches the path, without the entry (`jwt[0]`); any path if absent. */
  readonly field?: RegExp;
  /**
   * Matches the text after the type of error, and after the value if there is one; any text if
   * absent.
   */
  readonly detail?: RegExp;
  readonly meaning: string;
  readonly fix: string;
}

const rule = /^\.(?:claim|user)ValidationRules\[\d+\]/;
const extraKey = /^\.claimMappings\.extra\[\d+\]\.key$/;
const url = /^\.issuer\.(?:url|discoveryURL)$/;
const nothing = /^$/;

/** The patterns; the first row whose field and detail match is used. */
export const validationPatterns: readonly ValidationPattern[] = [
  {
    code: 'AG1011',
    name: 'too-many-authenticators',
    field: nothing,
    detail: /must have at most/,
    meaning: 'The file has too many authenticators.',
    fix: 'Configure at most 64 entries under jwt.',
  },
  {
    code: 'AG1021',
    name: 'same-discovery-url',
    field: url,
    detail: /^discoveryURL must be different from URL$/,
    meaning: 'discoveryURL is the same as url.',
    fix: 'Remove discoveryURL; it is for discovery documents at another URL.',
  },
  {
    code: 'AG1015',
    name: 'disallowed-issuer',
    field: url,
    detail: /^URL must not overlap with disallowed issuers: /,
    meaning: "The issuer is one of the server's own service account issuers.",
    fix: 'Remove the entry: the server accepts its own service account tokens without it.',
  },
  {
    code: 'AG1017',
    name: 'url-scheme',
    field: url,
    detail: /^URL scheme must be https$/,
    meaning: 'The URL is not https.',
    fix: 'Serve the issuer over https. Put a private CA into certificateAuthority.',
  },
  {
    code: 'AG1018',
    name: 'url-user-info',
    field: url,
    detail: /^URL must not contain a username or password$/,
    meaning: 'The URL contains a username or password.',
    fix: 'Remove the user info before the @.',
  },
  {
    code: 'AG1019',
    name: 'url-query',
    field: url,
    detail: /^URL must not contain a query$/,
    meaning: 'The URL contains a query.',
    fix: 'Remove the query, starting with the question mark.',
  },
  {
    code: 'AG1020',
    name: 'url-fragment',
    field: url,
    detail: /^URL must not contain a fragment$/,
    meaning: 'The URL contains a fragment.',
    fix: 'Remove the fragment, starting with the #.',
  },
  {
    code: 'AG1016',
    name: 'malformed-url',
    field: url,
    detail: /^parse /,
    meaning: 'The URL cannot be parsed.',
    fix: 'Check for spaces, stray percent signs and a missing scheme.',
  },
  {
    code: 'AG1012',
    name: 'duplicate-issuer-url',
    field: /^\.issuer\.url$/,
    detail: /^Duplicate value$/,
    meaning: 'Two entries have the same issuer URL.',
    fix: 'Merge the two entries: one entry may have several audiences and rules.',
  },
  {
    code: 'AG1013',
    name: 'duplicate-discovery-url',
    field: /^\.issuer\.discoveryURL$/,
    detail: /^Duplicate value$/,
    meaning: 'Two entries have the same discovery URL.',
    fix: "Use the issuer's own discovery document for each entry.",
  },
  {
    code: 'AG1014',
    name: 'missing-issuer-url',
    field: /^\.issuer\.url$/,
    detail: /^Required value$/,
    meaning: 'The entry has no issuer URL.',
    fix: 'Set issuer.url to the iss claim of the tokens.',
  },
  {
    code: 'AG1022',
    name: 'missing-audiences',
    field: /^\.issuer\.audiences$/,
    detail: /^at least one /,
    meaning: 'The entry has no audience.',
    fix: 'List the client ID that tokens are issued for under issuer.audiences.',
  },
  {
    code: 'AG1023',
    name: 'empty-audience',
    field: /^\.issuer\.audiences\[/,
    detail: /^Required value$/,
    meaning: 'An audience is empty.',
    fix: 'Remove it, or set it to the client ID.',
  },
  {
    code: 'AG1024',
    name: 'duplicate-audience',
    field: /^\.issuer\.audiences\[/,
    detail: /^Duplicate value$/,
    meaning: 'An audience is listed twice.',
    fix: 'Keep one of the two.',
  },
  {
    code: 'AG1025',
    name: 'audience-match-policy',
    field: /^\.issuer\.audienceMatchPolicy$/,
    meaning: 'audienceMatchPolicy does not match the number of audiences.',
    fix: 'Set it to MatchAny; with a single audience it is optional.',
  },
  {
    code: 'AG1026',
    name: 'certificate-authority',
    field: /^\.issuer\.certificateAuthority$/,
    meaning: 'certificateAuthority contains no valid certificate.',
    fix: 'Insert the PEM data from BEGIN CERTIFICATE to END CERTIFICATE as a block scalar (|).',
  },
  {
    code: 'AG1027',
    name: 'egress-selector-gate',
    field: /^\.issuer\.egressSelectorType$/,
    detail: /feature gate is disabled$/,
    meaning: 'egressSelectorType requires a feature gate that is disabled.',
    fix: 'Remove the field.',
  },
  {
    code: 'AG1028',
    name: 'egress-selector-type',
    field: /^\.issuer\.egressSelectorType$/,
    meaning: 'egressSelectorType has an unknown value.',
    fix: 'Remove the field. kube-apiserver accepts controlplane and cluster, with an egress configuration.',
  },
  {
    code: 'AG1029',
    name: 'claim-and-expression-rule',
    field: /^\.claimValidationRules\[\d+\]$/,
    detail: /^claim and expression can't both be set$/,
    meaning: 'A rule has both claim and expression.',
    fix: 'Use claim with requiredValue, or expression with message.',
  },
  {
    code: 'AG1030',
    name: 'empty-claim-rule',
    field: /^\.claimValidationRules\[\d+\]$/,
    detail: /^claim or expression is required$/,
    meaning: 'A rule has neither a claim nor an expression.',
    fix: 'Write one of them, or remove the rule.',
  },
  {
    code: 'AG1031',
    name: 'message-with-claim',
    field: /^\.claimValidationRules\[\d+\]\.message$/,
    meaning: 'A rule with claim has a message, which is only allowed with expression.',
    fix: 'Remove the message, or write the rule as an expression.',
  },
  {
    code: 'AG1032',
    name: 'duplicate-claim-rule',
    field: /^\.claimValidationRules\[\d+\]\.claim$/,
    detail: /^Duplicate value$/,
    meaning: 'Two rules require the same claim.',
    fix: 'Keep one of them.',
  },
  {
    code: 'AG1033',
    name: 'required-value-with-expression',
    field: /^\.claimValidationRules\[\d+\]\.requiredValue$/,
    meaning: 'A rule with expression has a requiredValue.',
    fix: 'Compare the value in the expression.',
  },
  {
    code: 'AG1034',
    name: 'duplicate-expression',
    field: /^\.(?:claim|user)ValidationRules\[\d+\]\.expression$/,
    detail: /^Duplicate value$/,
    meaning: 'Two rules have the same expression.',
    fix: 'Keep one of them.',
  },
  {
    code: 'AG1035',
    name: 'empty-user-rule',
    field: /^\.userValidationRules\[\d+\]\.expression$/,
    detail: /^Required value$/,
    meaning: 'A user validation rule has no expression.',
    fix: 'Write one, or remove the rule.',
  },
  {
    code: 'AG1036',
    name: 'claim-and-expression-mapping',
    field: /^\.claimMappings\.(?:username|groups|uid)$/,
    detail: /^claim and expression can't both be set$/,
    meaning: 'A mapping has both claim and expression.',
    fix: 'Use claim with prefix, or expression.',
  },
  {
    code: 'AG1037',
    name: 'missing-username',
    field: /^\.claimMappings\.username$/,
    detail: /^claim or expression is required$/,
    meaning: 'The username has no mapping.',
    fix: 'Add claimMappings.username with a claim and a prefix, or with an expression.',
  },
  {
    code: 'AG1038',
    name: 'prefix-with-expression',
    field: /^\.claimMappings\.(?:username|groups)\.prefix$/,
    detail: /^may not be specified when expression is set$/,
    meaning: 'A mapping with expression has a prefix.',
    fix: 'Put the prefix into the expression: "prefix:" + claims.x.',
  },
  {
    code: 'AG1039',
    name: 'missing-prefix',
    field: /^\.claimMappings\.(?:username|groups)\.prefix$/,
    detail: /^prefix is required when claim is set/,
    meaning: 'A mapping with claim has no prefix.',
    fix: 'Add one; use prefix: "" for none.',
  },
  {
    code: 'AG1041',
    name: 'extra-key-case',
    field: extraKey,
    detail: /^must be lowercase$/,
    meaning: 'An extra key has upper-case letters.',
    fix: 'Write it in lower case.',
  },
  {
    code: 'AG1042',
    name: 'reserved-extra-key',
    field: extraKey,
    detail: /are reserved for (?:Kubernetes use|the server)$/,
    meaning: 'An extra key is in a domain that is reserved.',
    fix: 'Use your own domain, such as example.org/name.',
  },
  {
    code: 'AG1043',
    name: 'duplicate-extra-key',
    field: extraKey,
    detail: /^Duplicate value$/,
    meaning: 'Two extra values have the same key.',
    fix: 'Merge them into one entry: an expression may return a list.',
  },
  {
    code: 'AG1040',
    name: 'extra-key',
    field: extraKey,
    meaning: 'An extra key is not a domain followed by a path.',
    fix: 'Use the form example.org/name.',
  },
  {
    code: 'AG1044',
    name: 'missing-value-expression',
    field: /^\.claimMappings\.extra\[\d+\]\.valueExpression$/,
    detail: /^Required value$/,
    meaning: 'An extra key has no expression.',
    fix: 'Add valueExpression, or remove the key.',
  },
  {
    code: 'AG1045',
    name: 'email-verified',
    field: /^\.claimMappings\.username\.expression$/,
    detail: /^claims\.email_verified must be used /,
    meaning:
      'The username is mapped from claims.email, but no expression uses claims.email_verified.',
    fix: 'Add a claim validation rule: claims.?email_verified.orValue(true) == true.',
  },
  {
    code: 'AG2002',
    name: 'expression-not-bool',
    field: rule,
    detail: /^must evaluate to bool$/,
    meaning: 'The expression of a rule does not return a boolean.',
    fix: 'Use a comparison, such as claims.x == true.',
  },
  {
    code: 'AG2001',
    name: 'expression-error',
    detail: /^compilation failed: /,
    meaning: 'An expression does not compile.',
    fix: 'Correct the expression at the column of the caret (^). `authgraph check` shows the location in the file and, for common mistakes, the correction.',
  },
  {
    code: 'AG2003',
    name: 'expression-constant',
    detail: /^program instantiation failed: /,
    meaning:
      'A constant part of an expression cannot be evaluated, even if it is in a branch that is never evaluated.',
    fix: 'Remove the constant, or use a value that can be converted.',
  },
];

export const anonymousPatterns: readonly ValidationPattern[] = [
  {
    code: 'AG1046',
    name: 'anonymous-conditions',
    field: /^\.conditions$/,
    detail: /^enabled should be set to true when conditions are defined$/,
    meaning: 'The anonymous section has conditions although it is disabled.',
    fix: 'Set enabled to true, or remove the conditions.',
  },
  {
    code: 'AG1047',
    name: 'anonymous-gate',
    field: /^$/,
    detail: /feature gate is disabled$/,
    meaning: 'The anonymous section requires a feature gate that is disabled.',
    fix: 'Enable AnonymousAuthConfigurableEndpoints, or use --anonymous-auth instead of the section.',
  },
];
