/** Common expressions, offered for a field whose expression is still empty. */
import { verifiedRule } from './rules/email-verified.ts';

/** An expression to start from. */
export interface Idiom {
  /** A short description of the expression. */
  readonly label: string;
  readonly text: string;
}

/**
 * Returns the idioms for a field path; indexes are ignored: `jwt.claimMappings.groups.expression`.
 */
export const idiomsOf = (path: string): readonly Idiom[] =>
  idioms.get(path.replaceAll(/\[\d+\]/g, '')) ?? [];

const idioms: ReadonlyMap<string, readonly Idiom[]> = new Map([
  [
    'jwt.claimValidationRules.expression',
    [
      {
        label: 'email is verified',
        text: verifiedRule,
      },
      { label: 'token lifetime of at most a day', text: 'claims.exp - claims.nbf <= 86400' },
      { label: 'member of a group', text: "'dev' in claims.groups" },
      {
        label: 'has a role',
        text: "claims.realm_access.roles.exists(r, r == 'admin')",
      },
    ],
  ],
  [
    'jwt.claimMappings.username.expression',
    [{ label: 'subject with a prefix', text: "'oidc:' + claims.sub" }],
  ],
  [
    'jwt.claimMappings.groups.expression',
    [
      { label: 'each group with a prefix', text: "dyn(claims.groups).map(g, 'oidc:' + g)" },
      {
        label: 'groups that start with a prefix',
        text: "dyn(claims.groups).filter(g, g.startsWith('k8s-'))",
      },
      { label: 'no groups if the claim is missing', text: 'claims.?groups.orValue([])' },
    ],
  ],
  [
    'jwt.userValidationRules.expression',
    [
      { label: 'no system: username', text: "!user.username.startsWith('system:')" },
      {
        label: 'no system: group',
        text: "user.groups.all(g, !g.startsWith('system:'))",
      },
    ],
  ],
]);
