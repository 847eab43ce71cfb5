/** Compares as data what the verdicts do not cover: who signs tokens, anonymous requests and other modules. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { SettingDifference } from './access-result.ts';

/** Returns the settings that differ. */
export const settingsDifferences = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): readonly SettingDifference[] => [
  ...sharedIssuers(before, after).flatMap(([old, changed]) => issuerDifferences(old, changed)),
  ...difference('anonymous', anonymousText(before), anonymousText(after)),
  ...modules.flatMap((name) => difference(name, textOf(before[name]), textOf(after[name]))),
  ...difference('API domain', before.apiDomain, after.apiDomain),
  ...difference('release', `1.${before.targetRelease}`, `1.${after.targetRelease}`),
];

/** Returns the pairs of authenticators with the same issuer. */
const sharedIssuers = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): readonly (readonly [JwtNode, JwtNode])[] =>
  before.nodes.flatMap((old) => {
    const changed = after.nodes.find(({ issuerUrl }) => issuerUrl === old.issuerUrl);
    return changed === undefined ? [] : [[old, changed] as const];
  });

const issuerDifferences = (before: JwtNode, after: JwtNode): readonly SettingDifference[] => {
  const algorithms = (node: JwtNode): string => node.signingAlgorithms.toSorted().join(', ');
  return [
    ...difference('discoveryURL', before.discoveryUrl, after.discoveryUrl),
    ...difference('certificateAuthority', before.certificateAuthority, after.certificateAuthority),
    ...difference('signing algorithms', algorithms(before), algorithms(after)),
  ].map((found) => ({ ...found, issuer: after.issuerUrl }));
};

const modules = [
  'authenticatingProxy',
  'clientCertificate',
  'staticToken',
  'legacyServiceAccountToken',
  'serviceAccountToken',
  'bootstrapToken',
  'webhookToken',
] as const;

const difference = (
  setting: string,
  before: string | undefined,
  after: string | undefined,
): readonly SettingDifference[] => (before === after ? [] : [{ setting, before, after }]);

const textOf = (data: unknown): string | undefined =>
  data === undefined ? undefined : JSON.stringify(data);

const anonymousText = ({ anonymous: { enabled, paths } }: AuthenticatorGraph): string => {
  if (!enabled) return 'disabled';
  return paths?.length ? `paths ${JSON.stringify(paths.toSorted())}` : 'every path';
};
