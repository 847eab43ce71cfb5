/**
 * The fields of the configuration file: one row each. Decoding, completion, hovers and the
 * documentation read these rows; a field is added here and nowhere else.
 */
import type { Release } from '../model/release.ts';

/** The maps of the file, named as the real server's types. */
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

/** What a field may hold. */
export type FieldType =
  | { readonly kind: 'bool' }
  /** `goType` names the server's own text type, which messages print. */
  | { readonly kind: 'string'; readonly goType?: string; readonly values?: readonly string[] }
  | { readonly kind: 'struct'; readonly struct: StructName }
  | { readonly kind: 'list'; readonly item: FieldType };

/** A field of the file: all that decoding, completion, hovers and docs know of it. */
export interface FieldRow {
  readonly name: string;
  /** The name in the `__internal` form of the file. */
  readonly goName: string;
  readonly type: FieldType;
  /** What the field says, one sentence. */
  readonly doc: string;
  readonly required: boolean;
  /** What its absence means. */
  readonly absent: string;
  /** A value as it stands in a file. */
  readonly example: string;
  /** The text is an expression over this variable. */
  readonly expression?: 'claims' | 'user';
  /** The Kubernetes minor version that brought the field, where that was after the first one. */
  readonly since?: Release;
}

const stringType: FieldType = { kind: 'string' };
const structType = (name: StructName): FieldType => ({ kind: 'struct', struct: name });
const listOf = (item: FieldType): FieldType => ({ kind: 'list', item });

const absentExpression = 'set `claim` instead';

const rows: readonly (readonly [StructName, readonly FieldRow[]])[] = [
  [
    'AuthenticationConfiguration',
    [
      {
        name: 'apiVersion',
        goName: 'apiVersion',
        type: stringType,
        doc: 'Group and version of the file’s format.',
        required: true,
        absent: 'the file is refused',
        example: 'apiserver.config.k8s.io/v1',
      },
      {
        name: 'kind',
        goName: 'kind',
        type: stringType,
        doc: 'Always AuthenticationConfiguration.',
        required: true,
        absent: 'the file is refused',
        example: 'AuthenticationConfiguration',
      },
      {
        name: 'jwt',
        goName: 'JWT',
        type: listOf(structType('JWTAuthenticator')),
        doc: 'One entry an issuer whose signed tokens are accepted; at most 64.',
        required: false,
        absent: 'no token of an issuer is accepted',
        example: '- issuer: {url: https://issuer.example, audiences: [app]}',
      },
      {
        name: 'anonymous',
        goName: 'Anonymous',
        type: structType('AnonymousAuthConfig'),
        doc: 'Whether requests without credentials are served, and on which paths.',
        required: false,
        absent: 'the flag --anonymous-auth decides',
        example: '{enabled: true, conditions: [{path: /livez}]}',
        since: 31,
      },
    ],
  ],
  [
    'AnonymousAuthConfig',
    [
      {
        name: 'enabled',
        goName: 'Enabled',
        type: { kind: 'bool' },
        doc: 'Switches the anonymous identity on.',
        required: false,
        absent: 'false',
        example: 'true',
      },
      {
        name: 'conditions',
        goName: 'Conditions',
        type: listOf(structType('AnonymousAuthCondition')),
        doc: 'Paths on which an anonymous request is served; one match is enough.',
        required: false,
        absent: 'every path',
        example: '[{path: /livez}, {path: /readyz}]',
      },
    ],
  ],
  [
    'AnonymousAuthCondition',
    [
      {
        name: 'path',
        goName: 'Path',
        type: stringType,
        doc: 'The exact path of a request, decoded, without its query.',
        required: true,
        absent: 'a path that no request has',
        example: '/livez',
      },
    ],
  ],
  [
    'JWTAuthenticator',
    [
      {
        name: 'issuer',
        goName: 'Issuer',
        type: structType('Issuer'),
        doc: 'Who signs the tokens, and for whom they are meant.',
        required: true,
        absent: 'the entry is refused',
        example: '{url: https://issuer.example, audiences: [app]}',
      },
      {
        name: 'claimValidationRules',
        goName: 'ClaimValidationRules',
        type: listOf(structType('ClaimValidationRule')),
        doc: 'What the claims of a token must fulfil; all rules must hold.',
        required: false,
        absent: 'no further rule',
        example: '- {claim: hd, requiredValue: example.com}',
      },
      {
        name: 'claimMappings',
        goName: 'ClaimMappings',
        type: structType('ClaimMappings'),
        doc: 'How the claims become the user’s name, groups, UID and extra attributes.',
        required: true,
        absent: 'the entry is refused',
        example: '{username: {claim: sub, prefix: "oidc:"}}',
      },
      {
        name: 'userValidationRules',
        goName: 'UserValidationRules',
        type: listOf(structType('UserValidationRule')),
        doc: 'What the mapped user must fulfil; all rules must hold.',
        required: false,
        absent: 'no rule',
        example: `- {expression: "!user.username.startsWith('system:')"}`,
      },
    ],
  ],
  [
    'Issuer',
    [
      {
        name: 'url',
        goName: 'URL',
        type: stringType,
        doc: 'The issuer, exactly as the iss claim and the discovery document name it; https only.',
        required: true,
        absent: 'the entry is refused',
        example: 'https://issuer.example',
      },
      {
        name: 'discoveryURL',
        goName: 'DiscoveryURL',
        type: stringType,
        doc: 'Where the discovery document is fetched, when not below the issuer’s URL.',
        required: false,
        absent: 'the URL with /.well-known/openid-configuration behind it',
        example: 'https://keys.internal/.well-known/openid-configuration',
      },
      {
        name: 'certificateAuthority',
        goName: 'CertificateAuthority',
        type: stringType,
        doc: 'PEM certificates that vouch for the servers of the issuer.',
        required: false,
        absent: 'the system’s roots',
        example: '|\n  -----BEGIN CERTIFICATE-----\n  …\n  -----END CERTIFICATE-----',
      },
      {
        name: 'audiences',
        goName: 'Audiences',
        type: listOf(stringType),
        doc: 'Names of which one must be in the aud claim.',
        required: true,
        absent: 'the entry is refused',
        example: '[app]',
      },
      {
        name: 'audienceMatchPolicy',
        goName: 'AudienceMatchPolicy',
        type: { kind: 'string', goType: 'AudienceMatchPolicyType', values: ['MatchAny'] },
        doc: 'How several audiences are compared; MatchAny is the only policy.',
        required: false,
        absent: 'right for one audience, refused for several',
        example: 'MatchAny',
      },
      {
        name: 'egressSelectorType',
        goName: 'EgressSelectorType',
        type: {
          kind: 'string',
          goType: 'EgressSelectorType',
          values: ['controlplane', 'cluster'],
        },
        doc: 'Which egress selection the connections to the issuer take.',
        required: false,
        absent: 'a direct connection',
        example: 'controlplane',
        since: 34,
      },
    ],
  ],
  [
    'ClaimValidationRule',
    [
      {
        name: 'claim',
        goName: 'Claim',
        type: stringType,
        doc: 'A claim that must be there; exclusive with expression and message.',
        required: false,
        absent: 'set `expression` instead',
        example: 'hd',
      },
      {
        name: 'requiredValue',
        goName: 'RequiredValue',
        type: stringType,
        doc: 'The text that the claim must have.',
        required: false,
        absent: 'the empty text',
        example: 'example.com',
      },
      {
        name: 'expression',
        goName: 'Expression',
        type: stringType,
        doc: 'A CEL expression over claims that must be true.',
        required: false,
        absent: absentExpression,
        example: 'claims.?email_verified.orValue(true) == true',
        expression: 'claims',
      },
      {
        name: 'message',
        goName: 'Message',
        type: stringType,
        doc: 'What the log says when the expression is false.',
        required: false,
        absent: 'the expression itself is named',
        example: 'the email must be verified',
      },
    ],
  ],
  [
    'ClaimMappings',
    [
      {
        name: 'username',
        goName: 'Username',
        type: structType('PrefixedClaimOrExpression'),
        doc: 'Where the user’s name comes from.',
        required: true,
        absent: 'the entry is refused',
        example: '{claim: sub, prefix: "oidc:"}',
      },
      {
        name: 'groups',
        goName: 'Groups',
        type: structType('PrefixedClaimOrExpression'),
        doc: 'Where the user’s groups come from.',
        required: false,
        absent: 'no groups',
        example: '{claim: groups, prefix: "oidc:"}',
      },
      {
        name: 'uid',
        goName: 'UID',
        type: structType('ClaimOrExpression'),
        doc: 'Where the user’s UID comes from.',
        required: false,
        absent: 'no UID',
        example: '{claim: sub}',
      },
      {
        name: 'extra',
        goName: 'Extra',
        type: listOf(structType('ExtraMapping')),
        doc: 'Further attributes of the user.',
        required: false,
        absent: 'none',
        example: '- {key: example.com/tenant, valueExpression: claims.tenant}',
      },
    ],
  ],
  [
    'PrefixedClaimOrExpression',
    [
      {
        name: 'claim',
        goName: 'Claim',
        type: stringType,
        doc: 'The claim whose value is taken; exclusive with expression.',
        required: false,
        absent: 'set `expression` instead',
        example: 'sub',
      },
      {
        name: 'prefix',
        goName: 'Prefix',
        type: stringType,
        doc: 'Put before the claim’s value; must be given, be it empty.',
        required: false,
        absent: 'refused beside `claim`',
        example: '"oidc:"',
      },
      {
        name: 'expression',
        goName: 'Expression',
        type: stringType,
        doc: 'A CEL expression over claims.',
        required: false,
        absent: absentExpression,
        example: `'"oidc:" + claims.sub'`,
        expression: 'claims',
      },
    ],
  ],
  [
    'ClaimOrExpression',
    [
      {
        name: 'claim',
        goName: 'Claim',
        type: stringType,
        doc: 'The claim whose value is taken; exclusive with expression.',
        required: false,
        absent: 'set `expression` instead',
        example: 'sub',
      },
      {
        name: 'expression',
        goName: 'Expression',
        type: stringType,
        doc: 'A CEL expression over claims.',
        required: false,
        absent: absentExpression,
        example: 'claims.sub',
        expression: 'claims',
      },
    ],
  ],
  [
    'ExtraMapping',
    [
      {
        name: 'key',
        goName: 'Key',
        type: stringType,
        doc: 'Name of the attribute: a domain, a slash, a path; lower case.',
        required: true,
        absent: 'the entry is refused',
        example: 'example.com/tenant',
      },
      {
        name: 'valueExpression',
        goName: 'ValueExpression',
        type: stringType,
        doc: 'A CEL expression over claims that gives a text or a list of texts.',
        required: true,
        absent: 'the entry is refused',
        example: 'claims.tenant',
        expression: 'claims',
      },
    ],
  ],
  [
    'UserValidationRule',
    [
      {
        name: 'expression',
        goName: 'Expression',
        type: stringType,
        doc: 'A CEL expression over user that must be true.',
        required: true,
        absent: 'the rule is refused',
        example: "!user.username.startsWith('system:')",
        expression: 'user',
      },
      {
        name: 'message',
        goName: 'Message',
        type: stringType,
        doc: 'What the log says when the expression is false.',
        required: false,
        absent: 'the expression itself is named',
        example: '"names that start with system: are reserved"',
      },
    ],
  ],
];

/** Rows of every struct of the file. */
export const schema: ReadonlyMap<StructName, readonly FieldRow[]> = new Map(rows);

/** The rows of one struct. */
export const fieldsOf = (name: StructName): readonly FieldRow[] => schema.get(name) ?? [];
