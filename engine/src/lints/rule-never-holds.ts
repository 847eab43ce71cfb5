/**
 * A rule that no claims satisfy rejects every token of its issuer. The search for evidence decides
 * it: without a proof, nothing is reported.
 */
import { defineLint } from './parts/define-lint.ts';

export const ruleNeverHolds = defineLint({
  code: 'AG4027',
  name: 'rule-never-holds',
  summary: 'A validation rule can never hold, so every token of the issuer is rejected.',
  message: () => 'this rule can never hold: every token of this issuer is rejected',
  help: () => 'Compare the rule with the claims of a real token: authgraph whoami --explain.',
  check(compilation, report) {
    compilation.configuration?.jwt.forEach((configured, entry) => {
      for (const list of ['claimValidationRules', 'userValidationRules'] as const)
        for (const [rule, { expression }] of configured[list].entries()) {
          if (expression === undefined || expression.value === '') continue;
          const field = `${list}[${rule}]`;
          const question = { kind: 'rule rejects all', entry, field, isOpen: true } as const;
          report(expression.span, {}, { question });
        }
    });
  },
});
