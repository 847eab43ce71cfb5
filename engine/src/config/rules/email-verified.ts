/**
 * The server's rule about emails as names. It is purely syntactic: whoever reads `claims.email` in
 * the username must read `claims.email_verified` somewhere, however senselessly.
 */
import type { CelNode } from '../../cel/tree/ast.ts';
import { childNodes } from '../../cel/tree/child-nodes.ts';
import { asAccessChanging } from '../../diagnostics/diagnostic.ts';
import type { JwtAuthenticatorConfig, LocatedString } from '../configuration.ts';
import { invalidError } from '../server-error.ts';
import { addRule } from './add-rule.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';

export interface EmailSubject {
  readonly place: RulePlace;
  readonly entry: JwtAuthenticatorConfig;
  /** `jwt[0].claimMappings.username.expression` */
  readonly field: string;
  readonly username: LocatedString;
  /** The tree of the username's expression. */
  readonly tree: CelNode;
  /** Trees of the expressions in which the reading of email_verified counts. */
  readonly consideredTrees: readonly CelNode[];
}

const detail =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

/** What the documentation of the real server advises. */
export const verifiedRule = 'claims.?email_verified.orValue(true) == true';

export const emailVerified = defineServerRule<EmailSubject>({
  code: 'AG1045',
  name: 'email-verified',
  summary: 'Who names users by email must look at email_verified.',
  help: () => `add a claim rule: \`${verifiedRule}\``,
  check({ place, entry, field, username, tree, consideredTrees }, report) {
    if (!readsClaim(tree, 'email')) return;
    if (consideredTrees.some((witness) => readsClaim(witness, 'email_verified'))) return;
    report(username.span, invalidError(field, username.value, detail), {
      // The rule lets in whoever has no such claim.
      fixes: addRule(place, entry, {
        list: 'claimValidationRules',
        expression: verifiedRule,
      }).map(asAccessChanging),
    });
  },
});

/** `claims.x` or `claims.?x` anywhere in the tree, macros expanded. */
const readsClaim = (root: CelNode, claim: string): boolean => {
  const waiting: CelNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isReadOf(node, claim)) return true;
    waiting.push(...childNodes(node));
  }
  return false;
};

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
