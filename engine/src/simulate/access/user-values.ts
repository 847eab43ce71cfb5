/** What mappings distinguish about claims, and the possible values of `user` in user validation rules. */
import type { JwtNode, MappingNode, PrefixedMappingNode } from '../../authenticators/jwt/node.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import { prefixWrapper } from '../../cel/text-machines/string-wrappers.ts';
import { elementStep } from './claim-reads.ts';
import { codeKey, readCode } from './code-nodes.ts';
import { type ExpressionReader, isElement } from './expression-reader.ts';
import {
  claimValue,
  isAlwaysString,
  type ListValue,
  type PossibleValue,
  wrapClaim,
} from './possible-values.ts';
import { readExpression } from './read-expression.ts';

type Values = readonly PossibleValue[];

/** The variable of claim mappings and claim validation rules. */
export const claimsVariable: ReadonlyMap<string, Values> = new Map([['claims', [claimValue([])]]]);

interface UserVariableOptions {
  /** The fields of the user that an expression reads. */
  readonly fields: ReadonlySet<string>;
  /** The extra key for the token's ID. */
  readonly credentialIdKey: string | undefined;
}

/** Returns the variable of user validation rules. */
export const userVariable = (
  reader: ExpressionReader,
  node: JwtNode,
  { fields, credentialIdKey }: UserVariableOptions,
): ReadonlyMap<string, Values> => {
  const values = new Map<string, Values>();
  if (fields.has('username')) values.set('username', readStringMapping(reader, node.username));
  if (fields.has('uid') && node.uid !== undefined) {
    values.set('uid', readStringMapping(reader, node.uid));
  }
  if (fields.has('groups') && node.groups !== undefined) {
    values.set('groups', [readListMapping(reader, node.groups)]);
  }
  if (fields.has('extra')) values.set('extra', [readExtra(reader, node, credentialIdKey)]);
  return new Map([['user', [{ kind: 'user', fields: values }]]]);
};

/** Reads all extra mappings, and the token's ID. */
const readExtra = (
  reader: ExpressionReader,
  node: JwtNode,
  credentialIdKey: string | undefined,
): PossibleValue => {
  const lists = new Map<string, readonly ListValue[]>();
  if (credentialIdKey !== undefined) lists.set(credentialIdKey, [readTokenId(reader)]);
  for (const { key, expression } of node.extra) {
    const list = readStrings(reader, expression);
    // Whether the key is present depends on whether the list has an element.
    reader.testElements(list.paths, `present ${list.key}`);
    // A key that is also that of the token's ID has one of the two lists.
    lists.set(key, [...(lists.get(key) ?? []), list]);
  }
  return { kind: 'extra', lists };
};

/** Reads the extra value for the token's ID, which a token without an ID lacks. */
export const readTokenId = (reader: ExpressionReader): ListValue => {
  const id = claimValue(['jti']);
  reader.testEmptiness(id);
  return {
    kind: 'list',
    key: 'token ID',
    elements: [wrapClaim(id, prefixWrapper('JTI='))],
    paths: [],
  };
};

/** Reads the mapping of the username or the UID. */
export const readStringMapping = (
  reader: ExpressionReader,
  mapping: PrefixedMappingNode | MappingNode,
): Values => {
  if (mapping.kind === 'expression') {
    const values = readExpression(reader, readCode(mapping.expression.code), claimsVariable);
    for (const value of values) reader.testEmptiness(value);
    return values;
  }
  const claim = claimValue([mapping.claim]);
  reader.testEmptiness(claim);
  if (mapping.claim === 'email') reader.read(claimValue(['email_verified']));
  const prefix = 'prefix' in mapping ? mapping.prefix : '';
  return [prefix === '' ? claim : wrapClaim(claim, prefixWrapper(prefix))];
};

/** Reads the mapping of groups. */
export const readListMapping = (
  reader: ExpressionReader,
  mapping: PrefixedMappingNode,
): ListValue => {
  if (mapping.kind === 'expression') return readStrings(reader, mapping.expression);
  const path = [mapping.claim];
  const key = `groups ${JSON.stringify([mapping.claim, mapping.prefix])}`;
  reader.testElements([path], key);
  const claims = [claimValue(path), claimValue([...path, elementStep])];
  reader.readAll(claims);
  const wrapper = prefixWrapper(mapping.prefix);
  return {
    kind: 'list',
    key,
    elements: claims.map((claim) => wrapClaim(claim, wrapper)),
    paths: [path],
  };
};

/** Reads an expression whose result is a string or a list of strings, of which empty ones are left out. */
export const readStrings = (
  reader: ExpressionReader,
  { code }: SerializedExpression,
): ListValue => {
  const values = readExpression(reader, readCode(code), claimsVariable);
  reader.readAll(values);
  const lists = values.map((value) => stringsOf(reader, value));
  const elements = lists.flatMap((list) => list.elements);
  const paths = lists.flatMap((list) => list.paths);
  for (const element of elements) reader.testEmptiness(element);
  const key = `strings ${codeKey(code)}`;
  reader.testElements(paths, key);
  return { kind: 'list', key, elements, paths };
};

type Strings = Pick<ListValue, 'elements' | 'paths'>;

/** Returns the strings that a value may be converted to. */
const stringsOf = (reader: ExpressionReader, value: PossibleValue): Strings => {
  switch (value.kind) {
    case 'list':
      return combine(value.paths, value.elements.map(itemOf));
    case 'optional':
      return combine(
        [],
        value.values.map((inner) => stringsOf(reader, inner)),
      );
    case 'joined':
      // Claims that are joined may be lists.
      return combine([], [itemOf(value), ...value.parts.map((part) => stringsOf(reader, part))]);
    case 'claim': {
      const { path } = value;
      if (isAlwaysString(value) || path.length === 0 || isElement(path)) return itemOf(value);
      const element = claimValue([...path, elementStep]);
      reader.read(element);
      return { elements: [value, element], paths: [path] };
    }
    default:
      return itemOf(value);
  }
};

/** Returns the string that an item of a list is converted to, which an optional may contain. */
const itemOf = (value: PossibleValue): Strings => ({
  elements: value.kind === 'optional' ? value.values : [value],
  paths: [],
});

const combine = (paths: ListValue['paths'], all: readonly Strings[]): Strings => ({
  elements: all.flatMap(({ elements }) => elements),
  paths: [...paths, ...all.flatMap((strings) => strings.paths)],
});
