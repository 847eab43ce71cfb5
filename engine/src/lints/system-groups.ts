/**
 * Nothing rejects `system:` groups by default: an issuer whose users or administrators choose the
 * groups in a token can issue `system:masters`, which has full control of the cluster.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { PrefixedMappingConfig } from '../config/configuration.ts';
import { addRule } from '../config/rules/add-rule.ts';
import { asAccessChanging, asChoice } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import { constantStart, namesSystemPrefix, resultNodes } from './parts/expression-nodes.ts';
import { type ExpressionUse, forEachEntry } from './parts/expression-uses.ts';

export const systemGroups = defineLint({
  code: 'AG4026',
  name: 'system-groups',
  summary: 'No prefix and no user validation rule prevents system: groups, such as system:masters.',
  message: () =>
    'a token can put its user into system:masters, which has full control of the cluster: no prefix or user validation rule prevents system: groups',
  help: () => `Add a prefix of your own, or a user validation rule: ${notSystem}`,
  check(compilation, report) {
    forEachEntry(compilation, (entry, own, index) => {
      const { groups } = entry.claimMappings;
      if (groups === undefined) return;
      const { claim, prefix, expression } = groups;
      const place = expression ?? prefix;
      // A missing prefix is an error.
      if (place === undefined || (expression === undefined && claim === undefined)) return;
      const starts = startsOf(groups, own);
      if (!starts.some((start) => masters.startsWith(start) || start.startsWith(masters))) return;
      const isUnchanged = expression === undefined && prefix?.value === '';
      // A rule may still accept the group, and an expression may choose it: the search finds out.
      const isOpen = !isUnchanged || own.some(checksSystemGroups);
      const rule = { list: 'userValidationRules', expression: notSystem } as const;
      const fixes = isOpen ? [] : addRule(compilation.document, entry, rule);
      report(
        place.span,
        {},
        {
          fixes: fixes.map((fix) => asChoice(asAccessChanging(fix))),
          question: {
            kind: 'user',
            entry: index,
            target: { field: 'groups', value: masters, match: 'exact' },
            ...(isOpen ? { isOpen: true } : {}),
          },
        },
      );
    });
  },
});

/** The group that has full control of the cluster. */
const masters = 'system:masters';

/** The rule that the Kubernetes documentation recommends. */
const notSystem = "user.groups.all(group, !group.startsWith('system:'))";

/** Returns the constant texts with which groups begin; empty ones are unknown. */
const startsOf = (
  { prefix, expression }: PrefixedMappingConfig,
  uses: readonly ExpressionUse[],
): readonly string[] => {
  if (expression === undefined) return [prefix?.value ?? ''];
  const use = uses.find(({ role }) => role === 'groups');
  return use === undefined ? [] : elementStarts(use.compilation.checked.tree);
};

const elementStarts = (root: CelNode): readonly string[] =>
  resultNodes(root).flatMap((node) => {
    if (node.kind === 'list') return node.elements.flatMap(constantStarts);
    if (node.kind === 'literal') return constantStarts(node);
    if (node.kind === 'call' && node.function === '_+_') return node.args.flatMap(elementStarts);
    if (node.kind !== 'comprehension') return [''];
    // The elements of map() and filter() are in lists that the loop appends.
    const appended = nodesOf(node.loopStep).flatMap((inner) =>
      inner.kind === 'list' ? inner.elements : [],
    );
    return appended.length === 0 ? [''] : appended.flatMap(constantStarts);
  });

const constantStarts = (node: CelNode): readonly string[] => resultNodes(node).map(constantStart);

const checksSystemGroups = ({ role, compilation }: ExpressionUse): boolean => {
  if (role !== 'user rule') return false;
  const nodes = nodesOf(compilation.checked.tree);
  return (
    nodes.some((node) => node.kind === 'select' && node.field === 'groups') &&
    namesSystemPrefix(nodes)
  );
};
