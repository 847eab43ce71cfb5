/**
 * kube-apiserver's rule about emails as usernames. It is purely syntactic: an expression that reads
 * `claims.email` for the username requires that some expression reads `claims.email_verified`, even
 * if that has no effect.
 */
import type { CelNode } from '../../cel/tree/ast.ts';
import { nodesOf } from '../../cel/tree/child-nodes.ts';
import { asAccessChanging, asChoice, type Fix } from '../../diagnostics/diagnostic.ts';
import type { JwtAuthenticatorConfig, LocatedString } from '../configuration.ts';
import { invalidError } from '../server-error.ts';
import { addRule } from './add-rule.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';

export interface EmailSubject {
  readonly place: RulePlace;
  readonly entry: JwtAuthenticatorConfig;
  /** Field path, for example `jwt[0].claimMappings.username.expression`. */
  readonly field: string;
  readonly username: LocatedString;
  /** The tree of the username's expression. */
  readonly tree: CelNode;
  /** The trees of all expressions in which reading email_verified counts. */
  readonly consideredTrees: readonly CelNode[];
}

const detail =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

/** The rule that the Kubernetes documentation recommends; it also accepts tokens without the claim. */
export const verifiedRule = 'claims.?email_verified.orValue(true) == true';

/** The rule that accepts verified addresses only. */
export const strictlyVerifiedRule = 'claims.?email_verified.orValue(false) == true';

/** Explains which tokens each rule accepts. */
export const verifiedRuleHelp =
  'Add a claim validation rule: with `orValue(false)`, only tokens with a verified address are accepted; with `orValue(true)`, tokens without email_verified are accepted, too, for issuers that never send it.';

/** Returns the fixes that add one of the two rules, the strict one first. */
export const verifiedRuleFixes = (
  place: RulePlace,
  entry: JwtAuthenticatorConfig,
): readonly Fix[] => [
  ...ruleFixes(place, entry, strictlyVerifiedRule),
  ...ruleFixes(place, entry, verifiedRule).map(asChoice),
];

const ruleFixes = (
  place: RulePlace,
  entry: JwtAuthenticatorConfig,
  expression: string,
): readonly Fix[] =>
  addRule(place, entry, { list: 'claimValidationRules', expression }).map(asAccessChanging);

export const emailVerified = defineServerRule<EmailSubject>({
  code: 'AG1045',
  name: 'email-verified',
  summary: 'The username uses claims.email, but no expression uses claims.email_verified.',
  help: () => verifiedRuleHelp,
  check({ place, entry, field, username, tree, consideredTrees }, report) {
    if (!readsClaim(tree, 'email')) return;
    if (consideredTrees.some((witness) => readsClaim(witness, 'email_verified'))) return;
    report(username.span, invalidError(field, username.value, detail), {
      fixes: verifiedRuleFixes(place, entry),
    });
  },
});

/** Returns true if `claims.x` or `claims.?x` occurs anywhere in the tree, with macros expanded. */
const readsClaim = (root: CelNode, claim: string): boolean =>
  nodesOf(root).some((node) => isReadOf(node, claim));

const isReadOf = (node: CelNode, claim: string): boolean => {
  if (node.kind === 'select') return isClaims(node.operand) && node.field === claim;
  if (node.kind !== 'call' || node.function !== '_?._' || node.target !== undefined) return false;
  const [operand, field] = node.args;
  return (
    isClaims(operand) &&
    field?.kind === 'literal' &&
    field.constant.kind === 'string' &&
    field.constant.value === claim
  );
};

const isClaims = (node: CelNode | undefined): boolean =>
  node?.kind === 'ident' && (node.name === 'claims' || node.name === '.claims');
