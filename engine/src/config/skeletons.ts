/**
 * What a field begins with when it is completed: its required parts, with a value in each. `‹…›` are
 * stops, which hold a value that is right as it stands; a line's further indentation is two spaces.
 */
import { apiDomains, configGroup, kubernetesDomain } from '../model/api-domain.ts';
import { historyOf, type Release } from '../model/release.ts';
import type { StructName } from './schema.ts';

/** A way of writing a field that is new in the file; `‹…›` is what its author fills in. */
export interface Skeleton {
  /** What tells it from others of the same field; empty for the first. */
  readonly variant: string;
  /** Behind the field's colon: ` value`, or further lines. */
  readonly body: string;
}

/** Skeletons of a field in block layout, the usual one first. */
export const skeletonsOf = (
  struct: StructName,
  field: string,
  { release, present }: { readonly release: Release; readonly present: ReadonlySet<string> },
): readonly Skeleton[] => {
  if (field === 'apiVersion') return one(` ${versionsAt(release)[0]}`);
  if (field === 'claim' && struct === 'PrefixedClaimOrExpression' && !present.has('prefix'))
    return one(' ‹sub›\nprefix: ‹"oidc:"›');
  return bodies.get(`${struct}.${field}`) ?? bodies.get(field) ?? one(' ‹›');
};

/** An entry of a list of structs, without its dash. */
export const entrySkeletons = (struct: StructName): readonly Skeleton[] =>
  entries.get(struct) ?? [];

/** What `apiVersion` may be for a release, the best one first. */
export const versionsAt = (release: Release): readonly string[] =>
  apiDomains
    .toSorted((a, b) => Number(b === kubernetesDomain) - Number(a === kubernetesDomain))
    .flatMap((domain) =>
      (release >= historyOf('version v1').since ? versions : versions.toSpliced(0, 1)).map(
        (version) => `${configGroup(domain)}/${version}`,
      ),
    );

const versions = ['v1', 'v1beta1', 'v1alpha1'];

const one = (body: string): readonly Skeleton[] => [{ variant: '', body }];

const below = (skeleton: string, by: string): string => skeleton.replaceAll('\n', `\n${by}`);

const claim = (name: string): string => `claim: ‹${name}›\nprefix: ‹"oidc:"›`;

const mapping = (name: string, expression: string): readonly Skeleton[] => [
  { variant: '', body: `\n  ${below(claim(name), '  ')}` },
  { variant: 'expression', body: `\n  expression: ‹${expression}›` },
];

const issuer = 'url: ‹https://issuer.example›\naudiences:\n  - ‹my-cluster›';
const entry = `issuer:\n  ${below(issuer, '  ')}\nclaimMappings:\n  username:\n    ${below(claim('sub'), '    ')}`;
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

const inList = ({ variant, body }: Skeleton): Skeleton => ({
  variant,
  body: `\n  - ${below(body, '    ')}`,
});

const entries: ReadonlyMap<StructName, readonly Skeleton[]> = new Map([
  ['JWTAuthenticator', one(entry)],
  ['ClaimValidationRule', claimRules],
  ['UserValidationRule', one(userRule)],
  ['ExtraMapping', one(extra)],
  ['AnonymousAuthCondition', one(condition)],
]);

const bodies: ReadonlyMap<string, readonly Skeleton[]> = new Map([
  ['kind', one(' AuthenticationConfiguration')],
  ['jwt', one(entry).map(inList)],
  ['anonymous', one(`\n  enabled: ‹true›\n  conditions:\n    - ${condition}`)],
  ['enabled', one(' ‹true›')],
  ['conditions', one(condition).map(inList)],
  ['path', one(' ‹/livez›')],
  ['issuer', one(`\n  ${below(issuer, '  ')}`)],
  ['url', one(' ‹https://issuer.example›')],
  ['discoveryURL', one(' ‹https://keys.example/.well-known/openid-configuration›')],
  ['certificateAuthority', one(' |\n  ‹-----BEGIN CERTIFICATE-----›')],
  ['audiences', one('\n  - ‹my-cluster›')],
  ['audienceMatchPolicy', one(' MatchAny')],
  ['egressSelectorType', one(' ‹controlplane›')],
  ['claimValidationRules', claimRules.map(inList)],
  ['userValidationRules', one(userRule).map(inList)],
  ['claimMappings', one(`\n  username:\n    ${below(claim('sub'), '    ')}`)],
  ['username', mapping('sub', `'"oidc:" + claims.sub'`)],
  ['groups', mapping('groups', 'claims.groups')],
  ['uid', one('\n  claim: ‹sub›')],
  ['extra', one(extra).map(inList)],
  ['prefix', one(' ‹"oidc:"›')],
  ['key', one(' ‹example.com/tenant›')],
]);
