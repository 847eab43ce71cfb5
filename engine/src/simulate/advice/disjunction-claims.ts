/**
 * Suggests claims that satisfy one part of a disjunction: the claims of the mappings get the constants that the part
 * compares. Whether a token with them is accepted is decided by the graph.
 */
import type { JwtNode, MappingNode, PrefixedMappingNode } from '../../authenticators/jwt/node.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import { type CodeNode, childrenOf, readCode, stringOf } from '../access/code-nodes.ts';
import { claimsRead } from './typical-claims.ts';

/** The maximum number of suggestions for one authenticator. */
const maxSuggestions = 64;

/** The maximum number of constants of one part. */
const maxConstants = 8;

/**
 * Returns changed claims of a token with this username that have `group`; none without a disjunction
 * in a user validation rule.
 */
export const disjunctionClaims = (
  node: JwtNode,
  known: { readonly claims: JsonObject; readonly username: string },
  group: string,
): readonly JsonObject[] => {
  const { groups } = node;
  if (groups === undefined) return [];
  const suggestions: JsonObject[] = [];
  const parts = node.userValidationRules.flatMap(({ expression }) =>
    disjunctsOf(readCode(expression.code)),
  );
  const others = [node.username, ...(node.uid === undefined ? [] : [node.uid])];
  const names = [
    ...others.flatMap(claimNames),
    ...node.extra.flatMap(({ expression }) => claimsRead(expression)),
  ];
  for (const part of parts) {
    const constants = stringsIn(part);
    const members = [group, ...constants, known.username].flatMap((one) =>
      withoutPrefix(one, groups),
    );
    const inGroups = Object.fromEntries(claimNames(groups).map((name) => [name, members]));
    const base: JsonObject = { ...known.claims, ...inGroups };
    suggestions.push(base);
    for (const constant of constants)
      suggestions.push({ ...base, ...Object.fromEntries(names.map((name) => [name, constant])) });
  }
  return suggestions.slice(0, maxSuggestions);
};

const claimNames = (mapping: PrefixedMappingNode | MappingNode): readonly string[] =>
  mapping.kind === 'claim' ? [mapping.claim] : claimsRead(mapping.expression);

const withoutPrefix = (group: string, mapping: PrefixedMappingNode): readonly string[] => {
  if (mapping.kind === 'expression') return [group];
  return group.startsWith(mapping.prefix) ? [group.slice(mapping.prefix.length)] : [];
};

/** Returns the parts of all disjunctions outside of loops. */
const disjunctsOf = (node: CodeNode): readonly CodeNode[] => {
  if (node.kind !== 'call') return [];
  if (node.name === '_||_')
    return node.args.flatMap((arg) => {
      const inner = disjunctsOf(arg);
      return inner.length === 0 ? [arg] : inner;
    });
  return logic.has(node.name) ? node.args.flatMap(disjunctsOf) : [];
};

const logic: ReadonlySet<string> = new Set(['_&&_', '!_', '_?_:_']);

const stringsIn = (root: CodeNode): readonly string[] => {
  const found = new Set<string>();
  const visit = (node: CodeNode): void => {
    const text = stringOf(node);
    if (text !== undefined && found.size < maxConstants) found.add(text);
    childrenOf(node).forEach(visit);
  };
  visit(root);
  return [...found];
};
