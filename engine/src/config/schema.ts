/**
 * The fields of the configuration file, one row each. Decoding, completion, hovers and the
 * documentation read these rows; a new field is added only here.
 */
import type { Release } from '../model/release.ts';

/** The structs of the file, named like kube-apiserver's types. */
export type StructName =
  | 'AuthenticationConfiguration'
  | 'AnonymousAuthConfig'
  | 'AnonymousAuthCondition'
  | 'JWTAuthenticator'
  | 'Issuer'
  | 'ClaimValidationRule'
  | 'ClaimMappings'
  | 'PrefixedClaimOrExpression'
  | 'ClaimOrExpression'
  | 'ExtraMapping'
  | 'UserValidationRule';

/** The type of a field. */
export type FieldType =
  | { readonly kind: 'bool' }
  /** `goType` is kube-apiserver's own string type, which messages print. */
  | { readonly kind: 'string'; readonly goType?: string; readonly values?: readonly string[] }
  | { readonly kind: 'struct'; readonly struct: StructName }
  | { readonly kind: 'list'; readonly item: FieldType };

/**
 * A field of the file, with everything that decoding, completion, hovers and the documentation
 * need.
 */
export interface FieldRow {
  readonly name: string;
  /** The name of the field in the `__internal` version of the file. */
  readonly goName: string;
  readonly type: FieldType;
  /** One sentence about the field. */
  readonly doc: string;
  readonly required: boolean;
  /** What happens if the field is absent. */
  readonly absent: string;
  /** An example value as it is written in a file. */
  readonly example: string;
  /** Set if the string is an expression over this variable. */
  readonly expression?: 'claims' | 'user';
  /** The Kubernetes minor version that added the field, unless it was the first. */
  readonly since?: Release;
}

const stringType: FieldType = { kind: 'string' };
const structType = (name: StructName): FieldType => ({ kind: 'struct', struct: name });
const listOf = (item: FieldType): FieldType => ({ kind: 'list', item });

const absentExpression = 'set `claim` instead';

/** A row before the defaults: a field is an optional string unless its row states otherwise. */
type RowForm = Omit<FieldRow, 'goName' | 'type' | 'required'> &
  Partial<Pick<FieldRow, 'type' | 'required'>>;

const structRows = (
  name: StructName,
  forms: readonly RowForm[],
): readonly [StructName, readonly FieldRow[]] => [
  name,
  forms.map((form) => ({
    type: stringType,
    required: false,
    goName: goNames.get(form.name) ?? form.name.charAt(0).toUpperCase() + form.name.slice(1),
    ...form,
  })),
];

/** Names that are not the capitalized name of the field. */
const goNames: ReadonlyMap<string, string> = new Map([
  ['apiVersion', 'apiVersion'],
  ['kind', 'kind'],
  ['jwt', 'JWT'],
  ['url', 'URL'],
  ['uid', 'UID'],
]);

const mappedClaim: RowForm = {
  name: 'claim',
  doc: 'Claim whose value is used. Mutually exclusive with expression.',
  absent: 'set `expression` instead',
  example: 'sub',
};

/** The rows of every struct of the file. */
export const schema: ReadonlyMap<StructName, readonly FieldRow[]> = new Map([
  structRows('AuthenticationConfiguration', [
    {
      name: 'apiVersion',
      doc: 'API group and version of the configuration.',
      required: true,
      absent: 'the file is rejected',
      example: 'apiserver.config.k8s.io/v1',
    },
    {
      name: 'kind',
      doc: 'Always `AuthenticationConfiguration`.',
      required: true,
      absent: 'the file is rejected',
      example: 'AuthenticationConfiguration',
    },
    {
      name: 'jwt',
      type: listOf(structType('JWTAuthenticator')),
      doc: 'JWT authenticators, at most 64, each with a unique issuer.',
      absent: 'no JWTs are accepted',
      example: '- issuer: {url: https://issuer.example, audiences: [app]}',
    },
    {
      name: 'anonymous',
      type: structType('AnonymousAuthConfig'),
      doc: 'Whether anonymous requests are allowed, and on which paths. Excludes the flag `--anonymous-auth`.',
      absent: 'the flag --anonymous-auth applies',
      example: '{enabled: true, conditions: [{path: /livez}]}',
      since: 31,
    },
  ]),
  structRows('AnonymousAuthConfig', [
    {
      name: 'enabled',
      type: { kind: 'bool' },
      doc: 'Enables the anonymous authenticator.',
      absent: 'false',
      example: 'true',
    },
    {
      name: 'conditions',
      type: listOf(structType('AnonymousAuthCondition')),
      doc: 'Paths on which anonymous requests are allowed; one has to match.',
      absent: 'all paths',
      example: '[{path: /livez}, {path: /readyz}]',
    },
  ]),
  structRows('AnonymousAuthCondition', [
    {
      name: 'path',
      doc: 'Path on which anonymous requests are allowed, compared exactly, decoded and without the query.',
      required: true,
      absent: 'no request matches',
      example: '/livez',
    },
  ]),
  structRows('JWTAuthenticator', [
    {
      name: 'issuer',
      type: structType('Issuer'),
      doc: 'The OIDC provider: its URL, its audiences and how to connect to it.',
      required: true,
      absent: 'the entry is rejected',
      example: '{url: https://issuer.example, audiences: [app]}',
    },
    {
      name: 'claimValidationRules',
      type: listOf(structType('ClaimValidationRule')),
      doc: 'Rules that the claims of a token must satisfy; all must pass.',
      absent: 'no additional rules',
      example: '- {claim: hd, requiredValue: example.com}',
    },
    {
      name: 'claimMappings',
      type: structType('ClaimMappings'),
      doc: 'Maps claims to the username, groups, UID and extra attributes of the user.',
      required: true,
      absent: 'the entry is rejected',
      example: '{username: {claim: sub, prefix: "oidc:"}}',
    },
    {
      name: 'userValidationRules',
      type: listOf(structType('UserValidationRule')),
      doc: 'Rules that the mapped user must satisfy; all must pass.',
      absent: 'no rules',
      example: `- {expression: "!user.username.startsWith('system:')"}`,
    },
  ]),
  structRows('Issuer', [
    {
      name: 'url',
      doc: 'Issuer URL. Must use https, and equal the `iss` claim and the issuer in the discovery document.',
      required: true,
      absent: 'the entry is rejected',
      example: 'https://issuer.example',
    },
    {
      name: 'discoveryURL',
      doc: 'URL of the discovery document, if it differs from `{url}/.well-known/openid-configuration`.',
      absent: '{url}/.well-known/openid-configuration',
      example: 'https://keys.internal/.well-known/openid-configuration',
    },
    {
      name: 'certificateAuthority',
      doc: 'PEM-encoded CA certificates that verify connections to the issuer.',
      absent: 'the system roots',
      example: '|\n  -----BEGIN CERTIFICATE-----\n  …\n  -----END CERTIFICATE-----',
    },
    {
      name: 'audiences',
      type: listOf(stringType),
      doc: 'Accepted audiences; the `aud` claim must contain at least one.',
      required: true,
      absent: 'the entry is rejected',
      example: '[app]',
    },
    {
      name: 'audienceMatchPolicy',
      type: { kind: 'string', goType: 'AudienceMatchPolicyType', values: ['MatchAny'] },
      doc: 'How several audiences are matched; `MatchAny` is the only policy.',
      absent: 'allowed for a single audience, rejected for several',
      example: 'MatchAny',
    },
    {
      name: 'egressSelectorType',
      type: {
        kind: 'string',
        goType: 'EgressSelectorType',
        values: ['controlplane', 'cluster'],
      },
      doc: 'Egress selection for all connections to the issuer.',
      absent: 'a direct connection',
      example: 'controlplane',
      since: 34,
    },
  ]),
  structRows('ClaimValidationRule', [
    {
      name: 'claim',
      doc: 'Name of a required string claim. Mutually exclusive with expression and message.',
      absent: 'set `expression` instead',
      example: 'hd',
    },
    {
      name: 'requiredValue',
      doc: 'Required value of the claim.',
      absent: 'the empty string',
      example: 'example.com',
    },
    {
      name: 'expression',
      doc: 'CEL expression over `claims` that must evaluate to true.',
      absent: absentExpression,
      example: 'claims.?email_verified.orValue(true) == true',
      expression: 'claims',
    },
    {
      name: 'message',
      doc: 'Error message if the expression evaluates to false.',
      absent: 'the message contains the expression',
      example: 'the email must be verified',
    },
  ]),
  structRows('ClaimMappings', [
    {
      name: 'username',
      type: structType('PrefixedClaimOrExpression'),
      doc: 'Source of the username.',
      required: true,
      absent: 'the entry is rejected',
      example: '{claim: sub, prefix: "oidc:"}',
    },
    {
      name: 'groups',
      type: structType('PrefixedClaimOrExpression'),
      doc: 'Source of the groups.',
      absent: 'no groups',
      example: '{claim: groups, prefix: "oidc:"}',
    },
    {
      name: 'uid',
      type: structType('ClaimOrExpression'),
      doc: 'Source of the UID.',
      absent: 'no UID',
      example: '{claim: sub}',
    },
    {
      name: 'extra',
      type: listOf(structType('ExtraMapping')),
      doc: 'Extra attributes of the user.',
      absent: 'none',
      example: '- {key: example.com/tenant, valueExpression: claims.tenant}',
    },
  ]),
  structRows('PrefixedClaimOrExpression', [
    mappedClaim,
    {
      name: 'prefix',
      doc: 'Prefix prepended to the claim value. Required with claim; use `""` for none.',
      absent: 'rejected if `claim` is set',
      example: '"oidc:"',
    },
    {
      name: 'expression',
      doc: 'CEL expression over `claims` that evaluates to the value.',
      absent: absentExpression,
      example: `'"oidc:" + claims.sub'`,
      expression: 'claims',
    },
  ]),
  structRows('ClaimOrExpression', [
    mappedClaim,
    {
      name: 'expression',
      doc: 'CEL expression over `claims` that evaluates to the value.',
      absent: absentExpression,
      example: 'claims.sub',
      expression: 'claims',
    },
  ]),
  structRows('ExtraMapping', [
    {
      name: 'key',
      doc: 'Key of the attribute: a domain-prefixed path in lower case.',
      required: true,
      absent: 'the entry is rejected',
      example: 'example.com/tenant',
    },
    {
      name: 'valueExpression',
      doc: 'CEL expression over `claims` that evaluates to a string or a list of strings.',
      required: true,
      absent: 'the entry is rejected',
      example: 'claims.tenant',
      expression: 'claims',
    },
  ]),
  structRows('UserValidationRule', [
    {
      name: 'expression',
      doc: 'CEL expression over `user` that must evaluate to true.',
      required: true,
      absent: 'the rule is rejected',
      example: "!user.username.startsWith('system:')",
      expression: 'user',
    },
    {
      name: 'message',
      doc: 'Error message if the expression evaluates to false.',
      absent: 'the message contains the expression',
      example: '"names that start with system: are reserved"',
    },
  ]),
]);

/** Returns the rows of a struct. */
export const fieldsOf = (name: StructName): readonly FieldRow[] => schema.get(name) ?? [];
