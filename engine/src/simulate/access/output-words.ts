/**
 * Compares the results of mappings as words: sequences of literals and claims. Mappings with equal words give every
 * token that both accept the same result, however they are written.
 */
import type { JwtNode, MappingNode, PrefixedMappingNode } from '../../authenticators/jwt/node.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import { mappingKey } from './access-part.ts';
import { type CodeNode, codeKey, isCall, readCode, stringOf } from './code-nodes.ts';
import { bodyOf } from './read-loops.ts';

/** A field of a user whose results may differ. */
export interface OutputField {
  /** The field of the node: `claimMappings.groups`. */
  readonly field: string;
  readonly name: 'username' | 'groups' | 'uid' | 'extra';
  /** The expression of an extra key on both sides. */
  readonly extra?: readonly SerializedExpression[];
}

/** Returns the fields of the user whose results are not known to be equal. */
export const differentOutputs = (before: JwtNode, after: JwtNode): readonly OutputField[] => {
  const fields: OutputField[] = [];
  if (!haveEqualStrings(before.username, after.username)) {
    fields.push({ field: 'claimMappings.username', name: 'username' });
  }
  if (!haveEqualLists(before.groups, after.groups)) {
    fields.push({ field: 'claimMappings.groups', name: 'groups' });
  }
  if (!haveEqualStrings(before.uid, after.uid)) {
    fields.push({ field: 'claimMappings.uid', name: 'uid' });
  }
  return [...fields, ...differentExtra(before, after)];
};

const differentExtra = (before: JwtNode, after: JwtNode): readonly OutputField[] => {
  const keys = new Set([...before.extra, ...after.extra].map(({ key }) => key));
  return [...keys].flatMap((key): OutputField[] => {
    const [old, changed] = [before, after].map(({ extra }) =>
      extra.find((mapped) => mapped.key === key),
    );
    if (old !== undefined && changed !== undefined) {
      const [first, second] = [old, changed].map(({ expression }) => formOf(expression));
      if (JSON.stringify(first) === JSON.stringify(second)) return [];
    }
    const index = (changed === undefined ? before : after).extra.findIndex(
      (mapped) => mapped.key === key,
    );
    const extra = [old, changed].flatMap((mapped) =>
      mapped === undefined ? [] : [mapped.expression],
    );
    return [{ field: `claimMappings.extra[${index}]`, name: 'extra', extra }];
  });
};

type StringMapping = PrefixedMappingNode | MappingNode | undefined;

/** A literal, or the key of a value that depends on claims. */
type Word = readonly (readonly ['literal' | 'value', string])[];

const haveEqualStrings = (before: StringMapping, after: StringMapping): boolean => {
  if (before === undefined || after === undefined) return before === after;
  if (releaseOf(before) !== releaseOf(after)) return mappingKey(before) === mappingKey(after);
  return JSON.stringify(wordOfMapping(before)) === JSON.stringify(wordOfMapping(after));
};

const releaseOf = (mapping: StringMapping): unknown =>
  mapping?.kind === 'expression' ? mapping.expression.release : undefined;

const wordOfMapping = (mapping: PrefixedMappingNode | MappingNode): Word => {
  if (mapping.kind === 'expression') return wordOf(readCode(mapping.expression.code), noNames);
  const prefix = 'prefix' in mapping ? mapping.prefix : '';
  return join([literal(prefix), [['value', pathText([mapping.claim])]]]);
};

const noNames: ReadonlyMap<string, string> = new Map();

const literal = (text: string): Word => (text === '' ? [] : [['literal', text]]);

const pathText = (path: readonly string[]): string => `claims ${JSON.stringify(path)}`;

/** Returns the word of an expression whose result is a string. */
const wordOf = (node: CodeNode, names: ReadonlyMap<string, string>): Word => {
  const text = stringOf(node);
  if (text !== undefined) return literal(text);
  if (isCall(node, '_+_')) return join(node.args.map((arg) => wordOf(arg, names)));
  const choice = choiceOf(node, names);
  if (choice !== undefined) return [['value', choice]];
  const [operand] = isCall(node, 'dyn') || isCall(node, 'string') ? node.args : [];
  // If one side is accepted without string(), the value is a string, and string() returns it.
  if (operand !== undefined && isPath(operand)) return wordOf(operand, names);
  const path = pathOf(node);
  return [['value', path === undefined ? codeKey(node.code, names) : pathText(path)]];
};

/** Returns the key of a claim with a default: `has(claims.a) ? claims.a : b` or `claims.?a.orValue(b)`. */
const choiceOf = (node: CodeNode, names: ReadonlyMap<string, string>): string | undefined => {
  const keyOf = (path: readonly string[] | undefined, other: CodeNode | undefined) =>
    path && other && `${pathText(path)} or ${JSON.stringify(wordOf(other, names))}`;
  if (isCall(node, 'orValue')) return keyOf(optionalPathOf(node.args[0]), node.args[1]);
  const [condition, value, other] = isCall(node, '_?_:_') ? node.args : [];
  if (condition?.kind !== 'select' || !condition.isTest || value === undefined) return undefined;
  const tested = extendPath(condition.operand, condition.field);
  const path = pathOf(value);
  return JSON.stringify(tested) === JSON.stringify(path) ? keyOf(path, other) : undefined;
};

/** Returns the path of `claims.?a`. */
const optionalPathOf = (node: CodeNode | undefined): readonly string[] | undefined => {
  if (node === undefined || !isCall(node, '_?._')) return undefined;
  const [operand, field] = node.args;
  const name = stringOf(field);
  return operand === undefined || name === undefined ? undefined : extendPath(operand, name);
};

/** Joins words, and literals that are next to each other. */
const join = (words: readonly Word[]): Word => {
  const joined: ['literal' | 'value', string][] = [];
  for (const [kind, text] of words.flat()) {
    const last = joined.at(-1);
    if (kind === 'literal' && last?.[0] === 'literal') last[1] += text;
    else joined.push([kind, text]);
  }
  return joined;
};

/** Checks whether a node reads a claim or a loop variable. */
const isPath = (node: CodeNode): boolean =>
  node.kind === 'variable' || pathOf(node) !== undefined || isCall(node, 'dyn');

const pathOf = (node: CodeNode): readonly string[] | undefined => {
  if (node.kind === 'select' && !node.isTest) return extendPath(node.operand, node.field);
  if (!isCall(node, '_[_]')) return undefined;
  const [operand, index] = node.args;
  const field = stringOf(index);
  return operand === undefined || field === undefined ? undefined : extendPath(operand, field);
};

const extendPath = (operand: CodeNode, field: string): readonly string[] | undefined => {
  if (operand.kind === 'variable') return operand.name === 'claims' ? [field] : undefined;
  const path = pathOf(operand);
  return path && [...path, field];
};

/** A list: the claim or expression that it is made of, the filters, and the word of each element. */
interface ListForm {
  readonly range: string;
  readonly filters: readonly string[];
  readonly element: Word;
  /** Whether a loop creates it, which only accepts lists. */
  readonly isLoop: boolean;
  readonly release: unknown;
}

const haveEqualLists = (
  before: PrefixedMappingNode | undefined,
  after: PrefixedMappingNode | undefined,
): boolean => {
  if (before === undefined || after === undefined) return before === after;
  if (before.kind === 'claim' && after.kind === 'claim') {
    return mappingKey(before) === mappingKey(after);
  }
  if (before.kind === 'expression' && after.kind === 'expression') {
    return JSON.stringify(formOf(before.expression)) === JSON.stringify(formOf(after.expression));
  }
  return before.kind === 'claim' ? isSameAsClaim(before, after) : isSameAsClaim(after, before);
};

/**
 * Checks whether an expression gives the groups of a claim. An expression leaves out empty groups,
 * so each element needs a literal. A loop accepts neither null nor a string.
 */
const isSameAsClaim = (claim: PrefixedMappingNode, other: PrefixedMappingNode): boolean => {
  if (claim.kind !== 'claim' || other.kind !== 'expression') return false;
  if (other.expression.release !== undefined) return false;
  const form = formOf(other.expression);
  const element = join([literal(claim.prefix), [['value', elementName]]]);
  return (
    form.isLoop &&
    form.range === pathText([claim.claim]) &&
    form.filters.length === 0 &&
    claim.prefix !== '' &&
    JSON.stringify(form.element) === JSON.stringify(element)
  );
};

const elementName = 'element';

const formOf = ({ code, release }: SerializedExpression): ListForm => ({
  ...formOfList(readCode(code)),
  release,
});

const formOfList = (node: CodeNode): Omit<ListForm, 'release'> => {
  const [operand] = isCall(node, 'dyn') ? node.args : [];
  if (operand !== undefined) return formOfList(operand);
  const loop = node.kind === 'loop' ? formOfLoop(node) : undefined;
  if (loop !== undefined) return loop;
  const path = pathOf(node);
  const range = path === undefined ? codeKey(node.code) : pathText(path);
  return { range, filters: [], element: [['value', elementName]], isLoop: false };
};

const formOfLoop = (
  node: CodeNode & { readonly kind: 'loop' },
): Omit<ListForm, 'release'> | undefined => {
  const body = bodyOf(node);
  if (body === undefined || !body.isList || node.variable2 !== undefined) return undefined;
  // A variable of this name would hide the claims.
  if (node.variable === 'claims') return undefined;
  const inner = formOfList(node.range);
  if (JSON.stringify(inner.element) !== JSON.stringify([['value', elementName]])) return undefined;
  const names = new Map([[node.variable, elementName]]);
  const filter = body.filter === undefined ? [] : [codeKey(body.filter.code, names)];
  return {
    range: inner.range,
    filters: [...inner.filters, ...filter],
    element: wordOfElement(body.value, names),
    isLoop: true,
  };
};

/** The loop variable itself is the element. */
const wordOfElement = (node: CodeNode, names: ReadonlyMap<string, string>): Word => {
  const word = wordOf(node, names);
  const variable = JSON.stringify(['v', elementName]);
  return word.map(([kind, text]) => (text === variable ? ['value', elementName] : [kind, text]));
};
