/** The changes of the fields of one authenticator, apart from its expressions. */
import type {
  AuthenticationConfiguration,
  ClaimValidationRuleConfig,
  JwtAuthenticatorConfig,
  LocatedString,
  PrefixedMappingConfig,
} from '../../config/configuration.ts';
import { insertField, removeField } from '../../config/rules/layout-fixes.ts';
import type { RulePlace } from '../../config/rules/server-rule.ts';
import type { Span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import { otherClaim } from './expression-mutations.ts';
import type { Mutation } from './mutant.ts';

export interface FieldOptions {
  readonly place: RulePlace;
  /** An audience of tests that the authenticator does not accept. */
  readonly otherAudience: (issuerUrl: string) => string | undefined;
}

/** Returns the changes of an entry. */
export const fieldMutations = (
  configuration: AuthenticationConfiguration,
  index: number,
  options: FieldOptions,
): readonly Mutation[] => {
  const entry = configuration.jwt[index];
  if (entry === undefined) return [];
  const id = `jwt[${index}]`;
  const { username, groups, uid, extra } = entry.claimMappings;
  const prefixes = allPrefixes(configuration);
  return [
    ...audienceMutations(entry, id, options),
    ...entry.claimValidationRules.flatMap((rule, item) =>
      claimRuleMutations(rule, `${id}.claimValidationRules[${item}]`),
    ),
    ...prefixedMutations(username, `${id}.claimMappings.username`, prefixes),
    ...(groups === undefined
      ? []
      : [
          ...prefixedMutations(groups, `${id}.claimMappings.groups`, prefixes),
          ...removedMapping('groups', groups.span, id, options),
        ]),
    ...(uid === undefined
      ? []
      : [
          ...claimNameMutations(uid.claim, `${id}.claimMappings.uid`),
          ...removedMapping('uid', uid.span, id, options),
        ]),
    ...extra.flatMap(({ key, valueExpression }, item): readonly Mutation[] =>
      valueExpression === undefined
        ? []
        : [
            {
              operator: 'Mapping',
              at: `${id}.claimMappings.extra[${item}]`,
              description: `the extra value ${key?.value ?? ''} is removed`,
              edits: [{ span: valueExpression.span, newText: quote("''") }],
            },
          ],
    ),
  ];
};

/** A JSON string is also a YAML string. */
const quote = (text: string): string => JSON.stringify(text);

const audienceMutations = (
  { issuer }: JwtAuthenticatorConfig,
  id: string,
  { place, otherAudience }: FieldOptions,
): readonly Mutation[] => {
  const names = issuer.audiences.map(({ value }) => value);
  const field = `${id}.issuer.audiences`;
  const isFlow = place.source.text[issuer.audiencesSpan.start] === '[';
  const list = (audiences: readonly string[]): TextEdit => ({
    span: issuer.audiencesSpan,
    // The items of a list in block style may not be indented; a list in flow style must be.
    newText: `${isFlow ? '' : ' '}[${audiences.map(quote).join(', ')}]`,
  });
  const added = otherAudience(issuer.url?.value ?? '') ?? unusedAudience;
  const policy =
    issuer.audienceMatchPolicy === undefined
      ? (insertField(place, {
          name: 'audienceMatchPolicy',
          value: quote('MatchAny'),
          section: issuer.span,
          after: issuer.audiencesSpan,
        })[0]?.edits ?? [])
      : [];
  return [
    ...issuer.audiences.map(({ value, span }, index): Mutation => {
      const at = `${field}[${index}]`;
      return names.length > 1
        ? {
            operator: 'Audience',
            at,
            description: `the audience ${value} is removed`,
            edits: [list(names.toSpliced(index, 1))],
          }
        : {
            operator: 'Audience',
            at,
            description: `the audience ${value} becomes ${unusedAudience}`,
            edits: [{ span, newText: quote(unusedAudience) }],
          };
    }),
    {
      operator: 'Audience',
      at: field,
      description: `the audience ${added} is accepted, too`,
      edits: [list([...names, added]), ...policy],
    },
  ];
};

const unusedAudience = 'another-audience';

/** Returns the changes of a rule with a required value; those of expressions are separate. */
const claimRuleMutations = (
  { claim, requiredValue, span }: ClaimValidationRuleConfig,
  at: string,
): readonly Mutation[] => {
  if (claim === undefined || claim.value === '') return [];
  const name = quote(claim.value);
  const withExpression = (expression: string): readonly TextEdit[] => [
    { span, newText: `{"expression": ${quote(expression)}}` },
  ];
  const value = requiredValue?.value ?? '';
  return [
    {
      operator: claim.value === 'email_verified' ? 'EmailVerified' : 'Rule',
      at,
      description: `any value of ${claim.value} is accepted, and tokens without it`,
      edits: withExpression('true'),
    },
    {
      operator: 'Rule',
      at,
      description: 'the rule is negated',
      edits: withExpression(`claims[${name}] != ${quote(value)}`),
    },
    {
      operator: 'RequiredValue',
      at,
      description: `any value of ${claim.value} is accepted`,
      edits: withExpression(`${name} in claims`),
    },
    ...(value === ''
      ? []
      : [
          {
            operator: 'RequiredValue' as const,
            at,
            description: `${claim.value} only has to start with ${value}`,
            edits: withExpression(`claims[${name}].startsWith(${quote(value)})`),
          },
        ]),
    ...claimNameMutations(claim, at),
  ];
};

const prefixedMutations = (
  { claim, prefix }: PrefixedMappingConfig,
  at: string,
  prefixes: readonly string[],
): readonly Mutation[] => {
  const names = claimNameMutations(claim, at);
  if (prefix === undefined || prefix.value === '') return names;
  const other = prefixes.find((one) => one !== prefix.value) ?? 'other:';
  return [
    {
      operator: 'Prefix',
      at,
      description: `the prefix ${prefix.value} is removed`,
      edits: [{ span: prefix.span, newText: quote('') }],
    },
    {
      operator: 'Prefix',
      at,
      description: `the prefix ${prefix.value} becomes ${other}`,
      edits: [{ span: prefix.span, newText: quote(other) }],
    },
    ...names,
  ];
};

const claimNameMutations = (claim: LocatedString | undefined, at: string): readonly Mutation[] => {
  if (claim === undefined || claim.value === '') return [];
  const other = otherClaim(claim.value);
  return [
    {
      operator: 'ClaimName',
      at,
      description: `the claim ${claim.value} becomes ${other}`,
      edits: [{ span: claim.span, newText: quote(other) }],
    },
  ];
};

const removedMapping = (
  name: 'groups' | 'uid',
  span: Span,
  id: string,
  { place }: FieldOptions,
): readonly Mutation[] => {
  const edit = removeField(place, name, span);
  const at = `${id}.claimMappings.${name}`;
  const description = `the mapping of ${name} is removed`;
  return edit === undefined ? [] : [{ operator: 'Mapping', at, description, edits: [edit] }];
};

const allPrefixes = ({ jwt }: AuthenticationConfiguration): readonly string[] =>
  jwt
    .flatMap(({ claimMappings: { username, groups } }) => [username.prefix, groups?.prefix])
    .flatMap((prefix) => (prefix === undefined || prefix.value === '' ? [] : [prefix.value]));
