/**
 * What completion inserts for a field: its required parts, each with a value. `‹…›` marks a
 * placeholder, whose content is valid as it is; nested lines are indented by two spaces.
 */
import { apiDomains, configGroup, kubernetesDomain } from '../model/api-domain.ts';
import { historyOf, type Release } from '../model/release.ts';
import type { StructName } from './schema.ts';

/** A way to write a new field; `‹…›` is what the author fills in. */
export interface Skeleton {
  /** The name of the variant; empty for the first one. */
  readonly variant: string;
  /** The text after the field's colon: ` value`, or further lines. */
  readonly body: string;
}

/** Returns the skeletons of a field in block layout, the most common one first. */
export const skeletonsOf = (
  struct: StructName,
  field: string,
  { release, present }: { readonly release: Release; readonly present: ReadonlySet<string> },
): readonly Skeleton[] => {
  if (field === 'apiVersion') return single(` ${versionsAt(release)[0]}`);
  if (field === 'claim' && struct === 'PrefixedClaimOrExpression' && !present.has('prefix'))
    return single(' ‹sub›\nprefix: ‹"oidc:"›');
  return bodies.get(`${struct}.${field}`) ?? bodies.get(field) ?? single(' ‹›');
};

/** Returns the skeletons of a list item, without its dash. */
export const entrySkeletons = (struct: StructName): readonly Skeleton[] =>
  entries.get(struct) ?? [];

/** Returns the values of `apiVersion` that a release supports, the best one first. */
export const versionsAt = (release: Release): readonly string[] =>
  apiDomains
    .toSorted((a, b) => Number(b === kubernetesDomain) - Number(a === kubernetesDomain))
    .flatMap((domain) =>
      (release >= historyOf('version v1').since ? versions : versions.toSpliced(0, 1)).map(
        (version) => `${configGroup(domain)}/${version}`,
      ),
    );

const versions = ['v1', 'v1beta1', 'v1alpha1'];

const single = (body: string): readonly Skeleton[] => [{ variant: '', body }];

const indentLines = (skeleton: string, by: string): string => skeleton.replaceAll('\n', `\n${by}`);

const claim = (name: string): string => `claim: ‹${name}›\nprefix: ‹"oidc:"›`;

const mapping = (name: string, expression: string): readonly Skeleton[] => [
  { variant: '', body: `\n  ${indentLines(claim(name), '  ')}` },
  { variant: 'expression', body: `\n  expression: ‹${expression}›` },
];

const issuer = 'url: ‹https://issuer.example›\naudiences:\n  - ‹my-cluster›';
const entry = `issuer:\n  ${indentLines(issuer, '  ')}\nclaimMappings:\n  username:\n    ${indentLines(claim('sub'), '    ')}`;
const claimRules: readonly Skeleton[] = [
  { variant: '', body: 'claim: ‹hd›\nrequiredValue: ‹example.com›' },
  {
    variant: 'expression',
    body: 'expression: ‹claims.?email_verified.orValue(true) == true›\nmessage: ‹the email must be verified›',
  },
];
const userRule =
  'expression: ‹"!user.username.startsWith(\'system:\')"›\nmessage: ‹"names that start with system: are reserved"›';
const extra = 'key: ‹example.com/tenant›\nvalueExpression: ‹claims.tenant›';
const condition = 'path: ‹/livez›';

const asListItem = ({ variant, body }: Skeleton): Skeleton => ({
  variant,
  body: `\n  - ${indentLines(body, '    ')}`,
});

const entries: ReadonlyMap<StructName, readonly Skeleton[]> = new Map([
  ['JWTAuthenticator', single(entry)],
  ['ClaimValidationRule', claimRules],
  ['UserValidationRule', single(userRule)],
  ['ExtraMapping', single(extra)],
  ['AnonymousAuthCondition', single(condition)],
]);

const bodies: ReadonlyMap<string, readonly Skeleton[]> = new Map([
  ['kind', single(' AuthenticationConfiguration')],
  ['jwt', single(entry).map(asListItem)],
  ['anonymous', single(`\n  enabled: ‹true›\n  conditions:\n    - ${condition}`)],
  ['enabled', single(' ‹true›')],
  ['conditions', single(condition).map(asListItem)],
  ['path', single(' ‹/livez›')],
  ['issuer', single(`\n  ${indentLines(issuer, '  ')}`)],
  ['url', single(' ‹https://issuer.example›')],
  ['discoveryURL', single(' ‹https://keys.example/.well-known/openid-configuration›')],
  ['certificateAuthority', single(' |\n  ‹-----BEGIN CERTIFICATE-----›')],
  ['audiences', single('\n  - ‹my-cluster›')],
  ['audienceMatchPolicy', single(' MatchAny')],
  ['egressSelectorType', single(' ‹controlplane›')],
  ['claimValidationRules', claimRules.map(asListItem)],
  ['userValidationRules', single(userRule).map(asListItem)],
  ['claimMappings', single(`\n  username:\n    ${indentLines(claim('sub'), '    ')}`)],
  ['username', mapping('sub', `'"oidc:" + claims.sub'`)],
  ['groups', mapping('groups', 'claims.groups')],
  ['uid', single('\n  claim: ‹sub›')],
  ['extra', single(extra).map(asListItem)],
  ['prefix', single(' ‹"oidc:"›')],
  ['key', single(' ‹example.com/tenant›')],
]);
