/**
 * Nothing rejects `system:` names by default: an issuer whose users choose their own names can
 * issue `system:admin`.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import type { Compilation } from '../compile/compile.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { addRule } from '../config/rules/add-rule.ts';
import { asChoice } from '../diagnostics/diagnostic.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { type ExpressionUse, usesByAuthenticator } from './parts/expression-uses.ts';
import { resultNodes, walk } from './parts/walk-tree.ts';

export const systemNames = defineRule<Compilation, Record<never, never>>({
  code: 'AG4010',
  name: 'system-names',
  severity: 'information',
  source: 'lint',
  summary: 'No prefix and no user validation rule prevents system: names.',
  message: () =>
    'a token may name a system: user here: no prefix and no user validation rule keeps them out',
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

const checksSystemPrefix = (use: ExpressionUse): boolean => {
  let found = false;
  if (use.role === 'user rule') {
    walk(use.compilation.checked.tree, (node) => {
      found ||=
        node.kind === 'literal' &&
        node.constant.kind === 'string' &&
        node.constant.value.startsWith('system:');
    });
  }
  return found;
};
