/**
 * kube-apiserver's rule about emails as usernames. It is purely syntactic: an expression that reads
 * `claims.email` for the username requires that some expression reads `claims.email_verified`, even
 * if that has no effect.
 */
import type { CelNode } from '../../cel/tree/ast.ts';
import { nodesOf } from '../../cel/tree/child-nodes.ts';
import { asAccessChanging, asChoice, type Fix } from '../../diagnostics/diagnostic.ts';
import { toFileSpan } from '../../source/position-map.ts';
import type { JwtAuthenticatorConfig, LocatedString } from '../configuration.ts';
import { invalidError } from '../server-error.ts';
import { addRule } from './add-rule.ts';
import { meantClaim, renameClaim } from './misspelled-claim.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';

/** An expression that compiles. */
export interface ValidExpression {
  readonly text: LocatedString;
  readonly tree: CelNode;
}

export interface EmailSubject {
  readonly place: RulePlace;
  readonly entry: JwtAuthenticatorConfig;
  /** Field path, for example `jwt[0].claimMappings.username.expression`. */
  readonly field: string;
  readonly username: ValidExpression;
  /** All expressions in which reading email_verified counts. */
  readonly considered: readonly ValidExpression[];
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
  check({ place, entry, field, username, considered }, report) {
    if (!readsClaim(username.tree, 'email')) return;
    if (considered.some(({ tree }) => readsClaim(tree, verified))) return;
    const [misspelled] = considered.flatMap((one) => misspelledReads(place, one));
    report(username.text.span, invalidError(field, username.text.value, detail), {
      ...(misspelled && { help: `${misspelled.question} ${verifiedRuleHelp}` }),
      fixes: [...(misspelled?.fixes ?? []), ...verifiedRuleFixes(place, entry)],
    });
  },
});

/** The claim that has to be read. */
const verified = 'email_verified';

/** Returns true if `claims.x` or `claims.?x` occurs anywhere in the tree, with macros expanded. */
const readsClaim = (root: CelNode, claim: string): boolean =>
  nodesOf(root).some((node) => claimRead(node) === claim);

/** Returns the reads of a claim that was probably meant to be `email_verified`. */
const misspelledReads = (
  { source }: RulePlace,
  { text, tree }: ValidExpression,
): readonly { readonly question: string; readonly fixes: readonly Fix[] }[] =>
  nodesOf(tree).flatMap((node) => {
    const written = claimRead(node);
    if (written === undefined || meantClaim(written) !== verified) return [];
    const { line } = source.positionAt(toFileSpan(text.map, node.span).start);
    const place = { located: text, part: node.span };
    return {
      question: `Line ${line + 1} reads ${written}: did you mean ${verified}?`,
      fixes: renameClaim(source, place, { written, meant: verified }),
    };
  });

const claimRead = (node: CelNode): string | undefined => {
  if (node.kind === 'select') return isClaims(node.operand) ? node.field : undefined;
  if (node.kind !== 'call' || node.function !== '_?._' || node.target !== undefined)
    return undefined;
  const [operand, field] = node.args;
  return isClaims(operand) && field?.kind === 'literal' && field.constant.kind === 'string'
    ? field.constant.value
    : undefined;
};

const isClaims = (node: CelNode | undefined): boolean =>
  node?.kind === 'ident' && (node.name === 'claims' || node.name === '.claims');
