/**
 * Finds out which claims an authenticator treats alike whatever strings they are, apart from strings
 * that they are known not to be. Such a string can be decided without its value: any other string
 * stands for it.
 */
import { systemStart } from '../../authenticators/jwt/claim-record.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { fieldsRead, readerFor } from '../access/access-part.ts';
import {
  type ClaimPath,
  ClaimReads,
  type LiteralComparison,
  type PathReads,
  pathKey,
} from '../access/claim-reads.ts';
import {
  type CodeNode,
  childrenOf,
  isCall,
  isVariable,
  readCode,
  stringOf,
} from '../access/code-nodes.ts';
import type { ExpressionReader } from '../access/expression-reader.ts';
import { claimValue, type PossibleValue } from '../access/possible-values.ts';
import { readExpression } from '../access/read-expression.ts';
import {
  claimsVariable,
  readListMapping,
  readStringMapping,
  readStrings,
  userVariable,
} from '../access/user-values.ts';

/** How an authenticator uses claims. */
export interface ClaimUses {
  /**
   * Checks whether the authenticator treats all strings at a path alike that are neither one of
   * `absent` nor names of Kubernetes itself, except that it may copy them into the identity.
   */
  treatsAlike(path: ClaimPath, absent: ReadonlySet<string>): boolean;
}

/** Reads all mappings and rules of an authenticator. */
export const claimUsesOf = (node: JwtNode): ClaimUses => {
  const collector = new UseCollector(node);
  collector.mappings();
  for (const rule of node.claimValidationRules) collector.claimRule(rule);
  for (const { expression } of node.userValidationRules) collector.userRule(expression.code);
  return collector;
};

class UseCollector implements ClaimUses {
  readonly #node: JwtNode;
  readonly #reads = new ClaimReads();
  /** The paths of strings that are changed before they become part of the identity. */
  readonly #changed = new Set<string>();
  /** The claims that are read by constructs that are not understood. */
  readonly #opaque = new Set<string>();
  #isOpaque = false;

  constructor(node: JwtNode) {
    this.#node = node;
  }

  mappings(): void {
    const { username, uid, groups, extra } = this.#node;
    for (const mapping of [username, uid]) {
      if (mapping === undefined) continue;
      this.#mapping(mapping, (reader) => readStringMapping(reader, mapping));
    }
    if (groups !== undefined) this.#mapping(groups, (reader) => [readListMapping(reader, groups)]);
    for (const { expression } of extra) {
      this.#mapping({ kind: 'expression', expression }, (reader) => [
        readStrings(reader, expression),
      ]);
    }
  }

  claimRule(rule: JwtNode['claimValidationRules'][number]): void {
    const reader = readerFor(this.#node);
    if (rule.kind === 'claim') {
      reader.testLiteral(claimValue([rule.claim]), 'equals', rule.requiredValue);
      this.#add(reader, undefined);
      return;
    }
    const code = readCode(rule.expression.code);
    reader.readAll(readExpression(reader, code, claimsVariable));
    this.#add(reader, code);
  }

  userRule(serialized: unknown): void {
    const reader = readerFor(this.#node);
    const code = readCode(serialized);
    const fields = fieldsRead(code);
    const variables = userVariable(reader, this.#node, { fields, credentialIdKey: undefined });
    reader.readAll(readExpression(reader, code, variables));
    // A rule about the user may depend on any claim that is mapped, and one about extra on the token's ID.
    if (reader.unsupported.size > 0 || fields.has('extra')) this.#isOpaque = true;
    this.#add(reader, undefined);
  }

  treatsAlike(path: ClaimPath, absent: ReadonlySet<string>): boolean {
    const [root = ''] = path;
    if (this.#isOpaque || this.#opaque.has(root)) return false;
    const reads = this.#reads.find(path);
    // A path that no expression reads is not read either when it is evaluated.
    if (reads === undefined || this.#changed.has(pathKey(path))) return false;
    const isCompared = path.some((_, index) => {
      const parent = this.#reads.find(path.slice(0, index + 1));
      return parent !== undefined && (parent.equals.size > 0 || parent.isOrdered);
    });
    return !isCompared && areDecided(reads, absent);
  }

  #mapping(
    mapping: JwtNode['username'] | NonNullable<JwtNode['uid']>,
    read: (reader: ExpressionReader) => readonly PossibleValue[],
  ): void {
    const reader = readerFor(this.#node);
    const values = read(reader);
    reader.readAll(values);
    for (const value of values) this.#output(value);
    const code = mapping.kind === 'expression' ? readCode(mapping.expression.code) : undefined;
    this.#add(reader, code);
  }

  #add({ reads, unsupported, readsAllClaims }: ExpressionReader, code: CodeNode | undefined): void {
    this.#reads.add(reads);
    if (readsAllClaims) this.#isOpaque = true;
    else if (unsupported.size > 0 && code !== undefined) this.#addOpaque(code);
  }

  /** Records the claims that an expression names; all of them if it uses `claims` as a whole. */
  #addOpaque(node: CodeNode): void {
    const name = claimNameOf(node);
    if (name !== undefined) this.#opaque.add(name);
    else if (isClaims(node)) this.#isOpaque = true;
    else for (const child of childrenOf(node)) this.#addOpaque(child);
  }

  /** Records the strings that are not copied unchanged into the identity. */
  #output(value: PossibleValue): void {
    switch (value.kind) {
      case 'claim':
        if (!value.wrappers.every(isAppending)) this.#changed.add(pathKey(value.path));
        break;
      case 'list':
        for (const element of value.elements) this.#output(element);
        break;
      case 'joined':
        for (const part of value.parts) this.#output(part);
        break;
      case 'optional':
        for (const inner of value.values) this.#output(inner);
        break;
      case 'size':
        if (value.of.kind === 'claim') this.#changed.add(pathKey(value.of.path));
        break;
      case 'split':
        this.#changed.add(pathKey(value.string.path));
        break;
    }
  }
}

/** Returns the name of the claim that a node selects from `claims`. */
const claimNameOf = (node: CodeNode): string | undefined => {
  if (node.kind === 'select') return isClaims(node.operand) ? node.field : undefined;
  const isIndex = ['_[_]', '_[?_]', '_?._'].some((name) => isCall(node, name));
  if (!isIndex || node.kind !== 'call') return undefined;
  const [operand, key] = node.args;
  return operand !== undefined && isClaims(operand) ? stringOf(key) : undefined;
};

const isClaims = (node: CodeNode): boolean =>
  isVariable(node, 'claims') || isVariable(node, '.claims');

const isAppending = ({ key }: LiteralComparison['wrappers'][number]): boolean =>
  key.startsWith('prefix ') || key.startsWith('suffix ');

/** Checks whether every test of a string has the same result for all strings that are not known. */
const areDecided = ({ strings }: PathReads, absent: ReadonlySet<string>): boolean =>
  [...strings.values()].every(
    ({ comparison }) => comparison !== undefined && isDecided(comparison, absent),
  );

const isDecided = (
  { test, literal, wrappers }: LiteralComparison,
  absent: ReadonlySet<string>,
): boolean => {
  let rest = literal;
  // The function that is applied last is compared first.
  for (const wrapper of wrappers.toReversed()) {
    if (!isAppending(wrapper)) return false;
    const { prefix, suffix = '' } = wrapper;
    const step =
      prefix === undefined ? withoutSuffix(test, rest, suffix) : withoutPrefix(test, rest, prefix);
    if (step === 'decided') return true;
    if (step === 'open') return false;
    rest = step.rest;
  }
  if (rest === '') return true;
  if (test === 'equals' && absent.has(rest)) return true;
  return (test === 'equals' || test === 'startsWith') && rest.startsWith(systemStart);
};

/** The comparison of the string itself that is left, or whether its result is known or not. */
type Step = 'decided' | 'open' | { readonly rest: string };

const withoutPrefix = (test: LiteralComparison['test'], literal: string, prefix: string): Step => {
  if (test === 'contains') return prefix.includes(literal) ? 'decided' : 'open';
  if (test === 'endsWith') return literal === '' ? 'decided' : 'open';
  if (literal.startsWith(prefix)) return { rest: literal.slice(prefix.length) };
  return 'decided';
};

const withoutSuffix = (test: LiteralComparison['test'], literal: string, suffix: string): Step => {
  if (test === 'contains') return suffix.includes(literal) ? 'decided' : 'open';
  if (test === 'startsWith') return literal === '' ? 'decided' : 'open';
  return literal.endsWith(suffix)
    ? { rest: literal.slice(0, literal.length - suffix.length) }
    : 'decided';
};
