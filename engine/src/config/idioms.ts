/** Expressions that people write again and again, for a field whose expression is still empty. */
import { verifiedRule } from './rules/email-verified.ts';

/** An expression to begin with. */
export interface Idiom {
  /** What it says, in a few words. */
  readonly label: string;
  readonly text: string;
}

/** By the path of the field without indexes: `jwt.claimMappings.groups.expression`. */
export const idiomsOf = (path: string): readonly Idiom[] =>
  idioms.get(path.replaceAll(/\[\d+\]/g, '')) ?? [];

const idioms: ReadonlyMap<string, readonly Idiom[]> = new Map([
  [
    'jwt.claimValidationRules.expression',
    [
      {
        label: 'the email is verified',
        text: verifiedRule,
      },
      { label: 'the token lives for a day at most', text: 'claims.exp - claims.nbf <= 86400' },
      { label: 'a group is there', text: "'dev' in claims.groups" },
      {
        label: 'a role is there',
        text: "claims.realm_access.roles.exists(r, r == 'admin')",
      },
    ],
  ],
  [
    'jwt.claimMappings.username.expression',
    [{ label: 'the subject behind a prefix', text: "'oidc:' + claims.sub" }],
  ],
  [
    'jwt.claimMappings.groups.expression',
    [
      { label: 'each group behind a prefix', text: "dyn(claims.groups).map(g, 'oidc:' + g)" },
      {
        label: 'groups that begin with a word',
        text: "dyn(claims.groups).filter(g, g.startsWith('k8s-'))",
      },
      { label: 'no groups where the claim is missing', text: 'claims.?groups.orValue([])' },
    ],
  ],
  [
    'jwt.userValidationRules.expression',
    [
      { label: 'no name of the system', text: "!user.username.startsWith('system:')" },
      {
        label: 'no group of the system',
        text: "user.groups.all(g, !g.startsWith('system:'))",
      },
    ],
  ],
]);
