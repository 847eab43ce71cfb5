/**
 * Compiles an expression without type checks: constants become dynamic, unknown names are declared
 * without a value, so that mistakes appear at evaluation.
 */

import { checkExpression } from '../../engine/src/cel/check/check.ts';
import type { ExpressionCompilation } from '../../engine/src/cel/compile-expression.ts';
import { planExpression } from '../../engine/src/cel/evaluate/plan.ts';
import { parseCel } from '../../engine/src/cel/syntax/parser.ts';
import type { CelNode } from '../../engine/src/cel/tree/ast.ts';
import { childNodes } from '../../engine/src/cel/tree/child-nodes.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { allMacros } from './cel-extensions/macros.ts';
import { languageEnvironment, type SpecCase } from './language-environment.ts';

export const compileUnchecked = (wanted: SpecCase): ExpressionCompilation => {
  const parsed = parseCel(wanted.expr, { release: newestRelease, macros: allMacros });
  const names = namesIn(parsed.tree);
  const known = languageEnvironment(wanted);
  const environment = languageEnvironment(wanted, {
    variables: names.variables.filter((name) => known.identifier(name) === undefined),
    functions: names.functions.filter((name) => !known.functions.has(name)),
  });
  const ids = { next: 1_000_000 };
  const tree = dynamic(parsed.tree, ids);
  const { checked, errors } = checkExpression({ ...parsed, tree }, environment);
  const [first] = [...parsed.errors, ...errors];
  if (first !== undefined) return failed(checked, first.message);
  const planned = planExpression(checked, { libraries: environment.libraries });
  return 'program' in planned
    ? { checked, errors: [], program: planned.program }
    : failed(checked, planned.problem);
};

const failed = (
  checked: ExpressionCompilation['checked'],
  detail: string,
): ExpressionCompilation => ({
  checked,
  errors: [],
  serverError: { type: 'FieldValueInvalid', detail },
});

const namesIn = (
  tree: CelNode,
): { readonly variables: readonly string[]; readonly functions: readonly string[] } => {
  const variables = new Set<string>();
  const functions = new Set<string>();
  const walk = (node: CelNode): void => {
    if (node.kind === 'ident') variables.add(node.name);
    if (node.kind === 'call') functions.add(node.function);
    for (const child of childNodes(node)) walk(child);
  };
  walk(tree);
  return { variables: [...variables], functions: [...functions] };
};

/** The tree with `dyn(…)` around every constant, list and map. */
const dynamic = (node: CelNode, ids: { next: number }): CelNode => {
  switch (node.kind) {
    case 'literal':
      return wrapped(node, ids);
    case 'select':
      return { ...node, operand: dynamic(node.operand, ids) };
    case 'call': {
      const args = node.args.map((arg, index) =>
        node.function === '_?._' && index === 1 ? arg : dynamic(arg, ids),
      );
      return { ...node, args, target: node.target && dynamic(node.target, ids) };
    }
    case 'list':
      return wrapped(
        { ...node, elements: node.elements.map((element) => dynamic(element, ids)) },
        ids,
      );
    case 'map':
      return wrapped(
        {
          ...node,
          entries: node.entries.map((entry) => ({
            ...entry,
            key: dynamic(entry.key, ids),
            value: dynamic(entry.value, ids),
          })),
        },
        ids,
      );
    default:
      return node;
  }
};

const wrapped = (node: CelNode, ids: { next: number }): CelNode => {
  ids.next += 1;
  return {
    kind: 'call',
    id: ids.next,
    span: node.span,
    at: node.at,
    function: 'dyn',
    functionSpan: node.span,
    target: undefined,
    args: [node],
  };
};
