/** The condition that two authenticators map the same claims to different users. */
import { linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { Mode } from '../../model/differences.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { readerFor, withoutConditions } from './access-part.ts';
import { type CodeNode, childrenOf, readCode, stringOf } from './code-nodes.ts';
import type { ComparedIssuer } from './compared-issuer.ts';
import type { Condition } from './condition.ts';
import { isSameUser } from './decide-claims.ts';
import type { ExpressionReader } from './expression-reader.ts';
import type { OutputField } from './output-words.ts';
import { isDecided, type PossibleValue } from './possible-values.ts';
import { readListMapping, readStringMapping, readStrings } from './user-values.ts';

/** Returns the condition that the fields have different values. */
export const outputsDiffer = (
  { before, after }: Required<ComparedIssuer>,
  fields: readonly OutputField[],
  mode: Mode,
): Condition | undefined => {
  const [first] = fields;
  if (before === undefined || after === undefined || first === undefined) return undefined;
  const nodes = [before.node, after.node];
  const readers = nodes.map((node) => readerFor(node));
  const isComparable = nodes.map((node, index) => {
    const reader = readers[index] ?? readerFor(node);
    return fields.every((field) => readOutput(reader, node, field));
  });
  const reads = readers.map((reader) => reader.reads);
  const [own, other] = reads;
  if (own === undefined || other === undefined) return undefined;
  own.add(other);
  const unsupported = new Set(readers.flatMap((reader) => [...reader.unsupported]));
  if (isComparable.includes(false))
    unsupported.add('the results are different functions of claims');
  const mapBefore = mapOnly(before.node, mode);
  const mapAfter = mapOnly(after.node, mode);
  return {
    place: { side: 'after', at: `${after.node.id}.${first.field}` },
    reads: own,
    roots: own.roots(),
    readsAllClaims: readers.some((reader) => reader.readsAllClaims),
    unsupported: [...unsupported],
    leaves: [],
    holds(claims) {
      const old = mapBefore(claims);
      const changed = mapAfter(claims);
      return old !== undefined && changed !== undefined && !isSameUser(old, changed);
    },
  };
};

/** Returns a function that maps claims without any rules. */
const mapOnly = (node: JwtNode, mode: Mode): ((claims: JsonObject) => UserInfo | undefined) => {
  const { username, groups, uid, extra } = node;
  const mappings = { ...withoutConditions(node), username, groups, uid, extra };
  const linked = linkMapping(mappings, planSerialized);
  return (claims) => {
    const outcome = mapClaims(
      linked,
      { claims, unreadable: none },
      { mode, credentialIdKey: undefined },
    );
    return outcome.kind === 'user' ? outcome.user : undefined;
  };
};

const none: ReadonlyMap<string, string> = new Map();

/** Reads a mapping; returns whether its result follows from the values that are tried. */
const readOutput = (
  reader: ExpressionReader,
  node: JwtNode,
  { name, extra }: OutputField,
): boolean => {
  const values = valuesOf(reader, node, name, extra);
  const literals = literalsOf(node, name);
  for (const value of values) {
    reader.read(value);
    if (value.kind !== 'claim') continue;
    for (const text of literals) reader.testLiteral(value, 'contains', text);
  }
  return values.every(isDecided);
};

const valuesOf = (
  reader: ExpressionReader,
  node: JwtNode,
  name: OutputField['name'],
  extra: OutputField['extra'] = [],
): readonly PossibleValue[] => {
  switch (name) {
    case 'username':
      return readStringMapping(reader, node.username);
    case 'uid':
      return node.uid === undefined ? [] : readStringMapping(reader, node.uid);
    case 'groups':
      return node.groups === undefined ? [] : elementsOf(readListMapping(reader, node.groups));
    case 'extra':
      return extra.flatMap((expression) => elementsOf(readStrings(reader, expression)));
  }
};

/** A list of elements from claims is not decided, whatever its elements are. */
const elementsOf = (list: PossibleValue & { readonly kind: 'list' }): readonly PossibleValue[] =>
  list.paths.length === 0 ? list.elements : [...list.elements, list];

/** The maximum number of strings that the results are searched for. */
const maxLiterals = 6;

/** Returns strings of a mapping that may or may not occur in its result. */
const literalsOf = (node: JwtNode, name: OutputField['name']): readonly string[] => {
  const mapping = name === 'extra' ? undefined : node[name];
  if (mapping?.kind !== 'expression') return [];
  const literals = new Set(stringsIn(readCode(mapping.expression.code)));
  return [...literals].filter((text) => text !== '').slice(0, maxLiterals);
};

const stringsIn = (node: CodeNode): readonly string[] => {
  const text = stringOf(node);
  return text === undefined ? childrenOf(node).flatMap(stringsIn) : [text];
};
