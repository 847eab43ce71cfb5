/** Writes configurations of one authenticator for tests. */

/** The parts of an authenticator that a test varies; the others are the same everywhere. */
export interface Parts {
  readonly rules?: readonly string[];
  readonly requiredClaims?: Readonly<Record<string, string>>;
  readonly userRules?: readonly string[];
  /** The mapping in YAML flow style: `{claim: sub, prefix: "a:"}`. */
  readonly username?: string;
  readonly groups?: string;
  readonly uid?: string;
  /** Expressions by key. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly audiences?: readonly string[];
  readonly issuer?: string;
  readonly issuerFields?: Readonly<Record<string, string>>;
}

/** Returns a configuration with an authenticator for each item. */
export const configuration = (...entries: readonly Parts[]): string =>
  [
    'apiVersion: apiserver.config.platform.io/v1beta1',
    'kind: AuthenticationConfiguration',
    'jwt:',
    ...entries.flatMap(entryLines),
    '',
  ].join('\n');

const entryLines = ({
  rules = [],
  requiredClaims = {},
  userRules = [],
  username = `{claim: sub, prefix: 'u:'}`,
  groups,
  uid,
  extra = {},
  audiences = ['kube'],
  issuer = 'https://idp.example.com',
  issuerFields = {},
}: Parts): readonly string[] => [
  '- issuer:',
  `    url: ${issuer}`,
  `    audiences: ${JSON.stringify(audiences)}`,
  ...(audiences.length > 1 ? ['    audienceMatchPolicy: MatchAny'] : []),
  ...Object.entries(issuerFields).map(([name, value]) => `    ${name}: ${value}`),
  ...section('claimValidationRules', [
    ...Object.entries(requiredClaims).map(
      ([claim, value]) => `{claim: ${claim}, requiredValue: ${JSON.stringify(value)}}`,
    ),
    ...rules.map((rule) => `{expression: ${JSON.stringify(rule)}}`),
  ]),
  '  claimMappings:',
  `    username: ${username}`,
  ...(groups === undefined ? [] : [`    groups: ${groups}`]),
  ...(uid === undefined ? [] : [`    uid: ${uid}`]),
  ...(Object.keys(extra).length === 0 ? [] : ['    extra:']),
  ...Object.entries(extra).map(
    ([key, value]) => `    - {key: ${key}, valueExpression: ${JSON.stringify(value)}}`,
  ),
  ...section(
    'userValidationRules',
    userRules.map((rule) => `{expression: ${JSON.stringify(rule)}}`),
  ),
];

const section = (name: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`  ${name}:`, ...items.map((item) => `  - ${item}`)];
