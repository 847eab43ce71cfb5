/**
 * Nothing rejects `system:` names by default: an issuer whose users choose their own names can
 * issue `system:admin`.
 */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { addRule } from '../config/rules/add-rule.ts';
import { asChoice } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import { agree, constantStart, namesSystemPrefix, resultNodes } from './parts/expression-nodes.ts';
import { type ExpressionUse, forEachEntry } from './parts/expression-uses.ts';

export const systemNames = defineLint({
  code: 'AG4010',
  name: 'system-names',
  severity: 'information',
  summary: 'No prefix and no user validation rule prevents system: names.',
  message: () => 'tokens can map to system: users: no prefix or user validation rule prevents it',
  help: () => `Add a user validation rule: ${notSystem}`,
  check(compilation, report) {
    forEachEntry(compilation, (entry, own, index) => {
      const { username } = entry.claimMappings;
      // A missing username is reported by a separate error.
      if (username.claim === undefined && username.expression === undefined) return;
      const starts = startsOf(entry, own).filter((start) => agree(start, 'system:'));
      if (starts.length === 0) return;
      // A rule may still accept such names, and a prefix can be one: the search finds out.
      const isOpen = !starts.includes('') || own.some(checksSystemPrefix);
      const rule = { list: 'userValidationRules', expression: notSystem } as const;
      // A prefix would fix it too.
      const fixes = addRule(compilation.document, entry, rule).map(asChoice);
      report(
        (username.claim ?? username.expression ?? username).span,
        {},
        {
          fixes: isOpen ? [] : fixes,
          question: {
            kind: 'user',
            entry: index,
            target: { field: 'username', value: 'system:', match: 'prefix' },
            ...(isOpen ? { isOpen: true } : {}),
          },
        },
      );
    });
  },
});

const notSystem = "!user.username.startsWith('system:')";

/** Returns the constant texts with which usernames begin; empty ones are unknown. */
const startsOf = (
  { claimMappings: { username } }: JwtAuthenticatorConfig,
  uses: readonly ExpressionUse[],
): readonly string[] => {
  if (username.expression === undefined) return [username.prefix?.value ?? ''];
  const use = uses.find(({ role }) => role === 'username');
  return use === undefined ? [] : resultNodes(use.compilation.checked.tree).map(constantStart);
};

const checksSystemPrefix = ({ role, compilation }: ExpressionUse): boolean =>
  role === 'user rule' && namesSystemPrefix(nodesOf(compilation.checked.tree));
