/**
 * Any expression that mentions the claim satisfies the email_verified rule of kube-apiserver, even
 * if its outcome does not depend on the claim (`claims.email_verified || true`). This lint
 * evaluates each mention with a verified and an unverified address: if no mention distinguishes
 * them, nothing protects the username.
 */

import { planExpression } from '../cel/evaluate/plan.ts';
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { Compilation } from '../compile/compile.ts';
import {
  strictlyVerifiedRule,
  verifiedRule,
  verifiedRuleHelp,
} from '../config/rules/email-verified.ts';
import { asAccessChanging, asChoice, type Fix } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead, isClaims, readsClaim } from './parts/expression-nodes.ts';
import {
  type ExpressionUse,
  editExpression,
  expressionUses,
  spanInFile,
  textOf,
  wholeExpression,
} from './parts/expression-uses.ts';
import { unverifiedAddress } from './parts/unverified-address.ts';

interface Args {
  readonly text: string;
}

export const ineffectiveEmailVerifiedRule = defineLint<Args>({
  code: 'AG4015',
  name: 'ineffective-email-verified-rule',
  summary: 'An expression uses the claim email_verified, but its value has no effect.',
  message: ({ text }) =>
    `${text} has the same result for a verified and an unverified address: an unverified address becomes a username`,
  help: () => verifiedRuleHelp,
  check(compilation, report) {
    const uses = expressionUses(compilation);
    for (const username of uses) {
      if (username.role !== 'username' || !reads(username, 'email')) continue;
      const own = uses.filter(({ authenticator }) => authenticator === username.authenticator);
      const mentions = own.filter((use) => reads(use, verified) && countsForServer(use));
      const [first] = mentions;
      if (first === undefined || mentions.some((use) => tellsApart(use, own))) continue;
      const { span } = first.compilation.checked.tree;
      const fixes = fixesOf(compilation, first);
      const question = unverifiedAddress(username.authenticator);
      report(spanInFile(first, span), { text: textOf(first, span) }, { fixes, question });
    }
  },
});

const verified = 'email_verified';

/** Reports whether kube-apiserver looks for the mention in this kind of expression. */
const countsForServer = ({ role }: ExpressionUse): boolean =>
  role === 'username' || role === 'claim rule' || role === 'extra';

const reads = (use: ExpressionUse, claim: string): boolean =>
  readsClaim(use.compilation.checked.tree, claim);

/**
 * Reports whether the outcome depends on email_verified; in doubt it answers yes, to avoid false
 * reports.
 */
const tellsApart = (use: ExpressionUse, own: readonly ExpressionUse[]): boolean => {
  if (use.compilation.errors.length > 0) return true;
  if (use.role === 'extra') return own.some(checksExtra);
  const analysis = analyzeMentions(use.compilation.checked.tree, use.role === 'claim rule');
  if (analysis === undefined) return true;
  const { unknowns, replaced } = analysis;
  for (let bits = 0; bits < 2 ** unknowns; bits += 1) {
    const tree = replaced((index) => (bits & (1 << index)) !== 0);
    const good = outcome(use, tree, true);
    if (good !== outcome(use, tree, false)) return true;
  }
  return false;
};

const checksExtra = ({ role, compilation }: ExpressionUse): boolean =>
  role === 'user rule' &&
  nodesOf(compilation.checked.tree).some(
    (node) => node.kind === 'select' && node.field === 'extra',
  );

/** Returns the outcome as text when `email` is the only other claim. */
const outcome = (use: ExpressionUse, tree: CelNode, isVerified: boolean): string => {
  const planned = planExpression({ ...use.compilation.checked, tree });
  if (!('program' in planned)) return 'problem';
  const { value, error } = planned.program.evaluate({
    email: 'a@example.com',
    email_verified: isVerified,
  });
  return error === undefined ? `value ${String(value)}` : 'error';
};

interface MentionAnalysis {
  /** The number of conditions that do not read email_verified: each may be true or false. */
  readonly unknowns: number;
  readonly replaced: (truth: (index: number) => boolean) => CelNode;
}

/** Expressions with more unknown conditions are not analyzed. */
const maxUnknowns = 6;

/** Returns `undefined` if the expression has a part whose value cannot be guessed. */
const analyzeMentions = (root: CelNode, isCondition: boolean): MentionAnalysis | undefined => {
  const unknowns = new Map<number, number>();
  const collect = (node: CelNode, condition: boolean): boolean => {
    if (condition && node.kind !== 'literal' && !readsClaim(node, verified)) {
      unknowns.set(node.id, unknowns.size);
      return true;
    }
    if (node.kind === 'call' && connectives.has(node.function)) {
      const isChoice = node.function === '_?_:_';
      return node.args.every((arg, index) =>
        collect(arg, isChoice && index > 0 ? condition : true),
      );
    }
    return isKnown(node);
  };
  if (!collect(root, isCondition) || unknowns.size > maxUnknowns) return undefined;
  const replace = (node: CelNode, truth: (index: number) => boolean): CelNode => {
    const index = unknowns.get(node.id);
    if (index !== undefined)
      return { ...place(node), kind: 'literal', constant: { kind: 'bool', value: truth(index) } };
    if (node.kind !== 'call' || !connectives.has(node.function)) return node;
    return { ...node, args: node.args.map((arg) => replace(arg, truth)) };
  };
  return { unknowns: unknowns.size, replaced: (truth) => replace(root, truth) };
};

const place = ({ id, span, at }: CelNode) => ({ id, span, at });

const connectives: ReadonlySet<string> = new Set(['_&&_', '_||_', '!_', '_?_:_']);

/** Reports whether the expression reads only the two email claims. */
const isKnown = (root: CelNode): boolean =>
  nodesOf(root).every((node) => {
    if (node.kind === 'comprehension' || node.kind === 'hole') return false;
    if (node.kind === 'ident' && !isClaims(node)) return false;
    return [undefined, verified, 'email'].includes(claimRead(node));
  });

/**
 * Replaces a claim rule that reads only email_verified; adds a condition to any other claim rule,
 * so that what else it requires stays required.
 */
const fixesOf = (compilation: Compilation, use: ExpressionUse): readonly Fix[] => {
  if (use.role !== 'claim rule') return [];
  const { tree } = use.compilation.checked;
  const whole = wholeExpression(use);
  if (whole === undefined) return [];
  const write = (rule: string): Fix => {
    const isAlone = isKnown(tree) && !readsClaim(tree, 'email');
    const newText = isAlone ? rule : `(${textOf(use, whole)}) && ${rule}`;
    const edits = editExpression(compilation, use, whole, newText);
    return asAccessChanging({ title: `Write ${newText}`, edits });
  };
  return [write(strictlyVerifiedRule), asChoice(write(verifiedRule))];
};
