/**
 * Nothing rejects `system:` names by default: an issuer whose users choose their own names can
 * issue `system:admin`.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { addRule } from '../config/rules/add-rule.ts';
import { asChoice } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import { resultNodes } from './parts/expression-nodes.ts';
import { type ExpressionUse, usesByAuthenticator } from './parts/expression-uses.ts';

export const systemNames = defineLint({
  code: 'AG4010',
  name: 'system-names',
  severity: 'information',
  summary: 'No prefix and no user validation rule prevents system: names.',
  message: () => 'tokens can map to system: users: no prefix or user validation rule prevents it',
  help: () => `Add a user validation rule: ${notSystem}`,
  check(compilation, report) {
    const uses = usesByAuthenticator(compilation);
    compilation.configuration?.jwt.forEach((entry, index) => {
      const own = uses[index] ?? [];
      const { username } = entry.claimMappings;
      // A missing username is reported by a separate error.
      if (username.claim === undefined && username.expression === undefined) return;
      if (isPrefixed(entry, own) || own.some(checksSystemPrefix)) return;
      const rule = { list: 'userValidationRules', expression: notSystem } as const;
      // A prefix would fix it too.
      const fixes = addRule(compilation.document, entry, rule).map(asChoice);
      report((username.claim ?? username.expression ?? username).span, {}, { fixes });
    });
  },
});

const notSystem = "!user.username.startsWith('system:')";

const isPrefixed = (entry: JwtAuthenticatorConfig, uses: readonly ExpressionUse[]): boolean => {
  const { username } = entry.claimMappings;
  if (username.expression === undefined) return (username.prefix?.value ?? '') !== '';
  const use = uses.find(({ role }) => role === 'username');
  return use === undefined || resultNodes(use.compilation.checked.tree).every(startsWithText);
};

/** Reports whether the leftmost operand of a sum is a constant string: `"oidc:" + …`. */
const startsWithText = (node: CelNode): boolean => {
  if (node.kind === 'literal') return node.constant.kind === 'string' && node.constant.value !== '';
  const [left] = node.kind === 'call' && node.function === '_+_' ? node.args : [];
  return left !== undefined && startsWithText(left);
};

const checksSystemPrefix = ({ role, compilation }: ExpressionUse): boolean =>
  role === 'user rule' &&
  nodesOf(compilation.checked.tree).some(
    (node) =>
      node.kind === 'literal' &&
      node.constant.kind === 'string' &&
      node.constant.value.startsWith('system:'),
  );
