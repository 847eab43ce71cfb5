/**
 * Nothing rejects `system:` groups by default: an issuer whose users or administrators choose the
 * groups in a token can issue `system:masters`, which has full control of the cluster.
 */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import { addRule } from '../config/rules/add-rule.ts';
import { asAccessChanging, asChoice } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import { type ExpressionUse, usesByAuthenticator } from './parts/expression-uses.ts';

export const systemGroups = defineLint({
  code: 'AG4026',
  name: 'system-groups',
  summary: 'No prefix and no user validation rule prevents system: groups, such as system:masters.',
  message: () =>
    'a token can put its user into system:masters, which has full control of the cluster: no prefix or user validation rule prevents system: groups',
  help: () => `Add a prefix of your own, or a user validation rule: ${notSystem}`,
  check(compilation, report) {
    const uses = usesByAuthenticator(compilation);
    compilation.configuration?.jwt.forEach((entry, index) => {
      const own = uses[index] ?? [];
      const { groups } = entry.claimMappings;
      if (groups === undefined || own.some(checksSystemGroups)) return;
      const { claim, prefix, expression } = groups;
      // A missing prefix is an error, and an expression may choose the groups.
      if (claim === undefined || prefix?.value !== '' || expression !== undefined) return;
      const rule = { list: 'userValidationRules', expression: notSystem } as const;
      const fixes = addRule(compilation.document, entry, rule);
      report(prefix.span, {}, { fixes: fixes.map((fix) => asChoice(asAccessChanging(fix))) });
    });
  },
});

/** The rule that the Kubernetes documentation recommends. */
const notSystem = "user.groups.all(group, !group.startsWith('system:'))";

const checksSystemGroups = ({ role, compilation }: ExpressionUse): boolean => {
  if (role !== 'user rule') return false;
  const nodes = nodesOf(compilation.checked.tree);
  return (
    nodes.some((node) => node.kind === 'select' && node.field === 'groups') &&
    nodes.some(
      (node) =>
        node.kind === 'literal' &&
        node.constant.kind === 'string' &&
        node.constant.value.startsWith('system:'),
    )
  );
};
