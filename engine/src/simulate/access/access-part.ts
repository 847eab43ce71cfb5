/**
 * Splits what a JWT authenticator demands into parts: a token is accepted exactly if it passes all of them. Parts with
 * equal keys are passed by the same tokens, so that only different parts have to be examined.
 */
import { linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { ClaimRuleNode, JwtNode, MappingNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { Mode } from '../../model/differences.ts';
import { newestRelease } from '../../model/release.ts';
import type { ClaimReads } from './claim-reads.ts';
import {
  type CodeNode,
  callCode,
  childrenOf,
  codeKey,
  isCall,
  isVariable,
  readCode,
} from './code-nodes.ts';
import { ExpressionReader } from './expression-reader.ts';
import { claimValue } from './possible-values.ts';
import { readExpression } from './read-expression.ts';
import { leavesOf, type RuleLeaf } from './rule-leaves.ts';
import {
  claimsVariable,
  readListMapping,
  readStringMapping,
  readStrings,
  userVariable,
} from './user-values.ts';

/** One condition of a JWT authenticator. */
export interface AccessPart {
  /** Equal only for parts that the same tokens pass. */
  readonly key: string;
  readonly side: 'before' | 'after';
  /** The field: `jwt[0].claimValidationRules[1]`. */
  readonly at: string;
  /** The expression or the claim, for messages. */
  readonly text: string;
  readonly reads: ClaimReads;
  /** Whether the part depends on claims that it does not name. */
  readonly readsAllClaims: boolean;
  /** The constructs that prevent a proof; empty for a part that is understood completely. */
  readonly unsupported: readonly string[];
  /** The conditions that the part combines, if it is a claim validation rule. */
  readonly leaves: readonly RuleLeaf[];
  /** The strings and numbers in its expressions, which a search tries. */
  readonly literals: readonly (string | number)[];
  /** The fields that its loops read of list elements. */
  readonly elementFields: readonly string[];
  /** Checks whether a token with these claims passes the part. */
  test(claims: JsonObject): boolean;
}

export interface PartOptions {
  readonly side: AccessPart['side'];
  readonly mode: Mode;
  /** The extra key for the token's ID. */
  readonly credentialIdKey: string | undefined;
}

/** Returns the parts of the mappings and rules of an authenticator. */
export const mappingParts = (node: JwtNode, options: PartOptions): readonly AccessPart[] => {
  const builder = new PartBuilder(node, options);
  return [
    ...builder.stringMapping('username', node.username),
    ...builder.groups(),
    ...builder.stringMapping('uid', node.uid),
    ...node.extra.map(({ expression }, index) => builder.extra(expression, index)),
    ...node.claimValidationRules.flatMap((rule, index) => builder.claimRule(rule, index)),
    ...node.userValidationRules.flatMap((rule, index) => builder.userRule(rule, index)),
  ];
};

/** Returns a reader for the expressions of a node. */
export const readerFor = (node: JwtNode, scope = ''): ExpressionReader =>
  new ExpressionReader({ release: releaseOf(node), issuer: issuerOf(node), scope });

/** Returns a node that accepts every token, to which parts can be added. */
export const withoutConditions = (node: JwtNode): JwtNode => ({
  ...node,
  claimValidationRules: [],
  userValidationRules: [],
  username: { kind: 'expression', expression: anyName },
  groups: undefined,
  uid: undefined,
  extra: [],
});

/** Returns a string that is equal only for mappings with equal results. */
export const mappingKey = (mapping: JwtNode['username'] | MappingNode | undefined): string => {
  if (mapping?.kind !== 'expression') return JSON.stringify(mapping ?? null);
  return expressionKey(mapping.expression);
};

/** Returns a string that is equal only for expressions with equal results. */
const expressionKey = ({ code, release }: SerializedExpression): string =>
  `${codeKey(code)} ${release ?? newestRelease}`;

/** Returns the parts of an expression that must all be true for it to be true. */
const conjunctsOf = (node: CodeNode): readonly CodeNode[] => {
  if (isCall(node, '_&&_')) return node.args.flatMap(conjunctsOf);
  const [negated] = isCall(node, '!_') ? node.args : [];
  if (negated === undefined) return [node];
  if (isCall(negated, '!_')) return negated.args.flatMap(conjunctsOf);
  return isCall(negated, '_||_') ? negated.args.flatMap((arg) => conjunctsOf(negate(arg))) : [node];
};

const negate = (node: CodeNode): CodeNode => readCode(callCode('!_', 'logical_not', node.code));

const anyName: SerializedExpression = { text: "'any'", code: ['c', 1, 'string', 'any'] };

const googleIssuer = 'https://accounts.google.com';

/** Google's issuer has two spellings. */
const issuerOf = ({ issuerUrl }: JwtNode): string | undefined =>
  issuerUrl === googleIssuer ? undefined : issuerUrl;

/** All expressions of a graph are compiled for one release. */
const releaseOf = (node: JwtNode): NonNullable<SerializedExpression['release']> => {
  const mappings = [node.username, node.groups, node.uid, ...node.claimValidationRules];
  const expressions = [...node.extra, ...node.userValidationRules].map(
    ({ expression }) => expression,
  );
  for (const mapping of mappings) {
    if (mapping?.kind === 'expression') expressions.push(mapping.expression);
  }
  return expressions[0]?.release ?? newestRelease;
};

/** The fields of a user that a rule can read. */
const userFields = ['username', 'uid', 'groups', 'extra'] as const;

type PartSource = Pick<AccessPart, 'key' | 'at' | 'text'> & {
  /** The node with only this part. */
  readonly node: JwtNode;
  readonly leaves?: readonly RuleLeaf[];
};

type UserMappings = Pick<JwtNode, 'username' | 'groups' | 'uid' | 'extra'>;

class PartBuilder {
  readonly #node: JwtNode;
  readonly #options: PartOptions;
  readonly #base: JwtNode;

  constructor(node: JwtNode, options: PartOptions) {
    this.#node = node;
    this.#options = options;
    this.#base = withoutConditions(node);
  }

  stringMapping(field: 'username' | 'uid', mapping: JwtNode['username' | 'uid']) {
    if (mapping === undefined) return [];
    const reader = readerFor(this.#node);
    reader.readAll(readStringMapping(reader, mapping));
    const node = { ...this.#base, [field]: mapping };
    const source = { key: `${field} ${mappingKey(mapping)}`, ...this.#place(field), node };
    return [this.#part(reader, { ...source, text: mappingText(mapping) })];
  }

  groups(): readonly AccessPart[] {
    const { groups } = this.#node;
    if (groups === undefined) return [];
    const reader = readerFor(this.#node);
    reader.read(readListMapping(reader, groups));
    const node = { ...this.#base, groups };
    const source = { key: `groups ${mappingKey(groups)}`, ...this.#place('groups'), node };
    return [this.#part(reader, { ...source, text: mappingText(groups) })];
  }

  extra(expression: SerializedExpression, index: number): AccessPart {
    const reader = readerFor(this.#node);
    reader.read(readStrings(reader, expression));
    return this.#part(reader, {
      key: `extra ${expressionKey(expression)}`,
      ...this.#place(`extra[${index}]`),
      text: expression.text,
      node: { ...this.#base, extra: [{ key: 'any', expression }] },
    });
  }

  claimRule(rule: ClaimRuleNode, index: number): readonly AccessPart[] {
    const at = `${this.#node.id}.claimValidationRules[${index}]`;
    if (rule.kind === 'claim') {
      const reader = readerFor(this.#node);
      reader.testLiteral(claimValue([rule.claim]), 'equals', rule.requiredValue);
      const key = `claim ${JSON.stringify([rule.claim, rule.requiredValue])}`;
      const node = { ...this.#base, claimValidationRules: [rule] };
      return [this.#part(reader, { key, at, text: `${rule.claim}: ${rule.requiredValue}`, node })];
    }
    const { expression } = rule;
    return conjunctsOf(readCode(expression.code)).map((conjunct) => {
      const reader = readerFor(this.#node);
      reader.readAll(readExpression(reader, conjunct, claimsVariable));
      const part = { ...expression, code: conjunct.code };
      return this.#part(reader, {
        key: `rule ${expressionKey(part)}`,
        at,
        text: expression.text,
        node: { ...this.#base, claimValidationRules: [{ ...rule, expression: part }] },
        leaves: leavesOf(conjunct, expression, () => readerFor(this.#node)),
      });
    });
  }

  userRule(rule: JwtNode['userValidationRules'][number], index: number): readonly AccessPart[] {
    const { expression } = rule;
    return conjunctsOf(readCode(expression.code)).map((conjunct) => {
      const fields = fieldsRead(conjunct);
      const mappings = this.#mappingsOf(fields);
      const credentialIdKey = fields.has('extra') ? this.#options.credentialIdKey : undefined;
      const scope = this.#scopeOf(mappings, credentialIdKey);
      const reader = readerFor(this.#node, scope);
      const variables = userVariable(reader, this.#node, { fields, credentialIdKey });
      reader.readAll(readExpression(reader, conjunct, variables));
      const part = { ...expression, code: conjunct.code };
      return this.#part(reader, {
        key: `user rule ${expressionKey(part)} ${scope}`,
        at: `${this.#node.id}.userValidationRules[${index}]`,
        text: expression.text,
        node: {
          ...this.#base,
          ...mappings,
          userValidationRules: [{ ...rule, expression: part }],
        },
      });
    });
  }

  /** Returns the mappings of the fields that a rule reads. */
  #mappingsOf(fields: ReadonlySet<string>): UserMappings {
    const { username, groups, uid, extra } = this.#node;
    return {
      username: fields.has('username') ? username : this.#base.username,
      groups: fields.has('groups') ? groups : undefined,
      uid: fields.has('uid') ? uid : undefined,
      extra: fields.has('extra') ? extra : [],
    };
  }

  /** Returns a string that is equal only for mappings that give a rule the same user. */
  #scopeOf(
    { username, groups, uid, extra }: UserMappings,
    credentialIdKey: string | undefined,
  ): string {
    const keys = extra.map(({ key, expression }) => [key, expressionKey(expression)]);
    return JSON.stringify([...[username, groups, uid].map(mappingKey), ...keys, credentialIdKey]);
  }

  #place(field: string): { readonly at: string } {
    return { at: `${this.#node.id}.claimMappings.${field}` };
  }

  #part(reader: ExpressionReader, { node, leaves = [], ...source }: PartSource): AccessPart {
    const linked = linkMapping(node, planSerialized);
    const { mode, credentialIdKey } = this.#options;
    const options = { mode, credentialIdKey };
    return {
      ...source,
      side: this.#options.side,
      reads: reader.reads,
      readsAllClaims: reader.readsAllClaims,
      unsupported: [...reader.unsupported],
      leaves,
      literals: codesOf(node).flatMap(literalsIn),
      elementFields: codesOf(node).flatMap(elementFieldsIn),
      test: (claims) => mapClaims(linked, { claims, unreadable: none }, options).kind === 'user',
    };
  }
}

/** Returns the expressions of a node. */
const codesOf = (node: JwtNode): readonly CodeNode[] => {
  const { username, groups, uid, extra, claimValidationRules, userValidationRules } = node;
  const expressions = [...extra, ...userValidationRules].map(({ expression }) => expression);
  for (const field of [username, groups, uid, ...claimValidationRules]) {
    if (field?.kind === 'expression' && field.expression !== anyName) {
      expressions.push(field.expression);
    }
  }
  return expressions.map(({ code }) => readCode(code));
};

const literalsIn = (node: CodeNode): AccessPart['literals'] => {
  if (node.kind !== 'constant') return childrenOf(node).flatMap(literalsIn);
  if (typeof node.value !== 'string') return [];
  return node.type === 'string' ? [node.value] : [Number(node.value)].filter(Number.isFinite);
};

/** Returns the fields that are selected from loop variables. */
const elementFieldsIn = (node: CodeNode): readonly string[] => {
  const fields = childrenOf(node).flatMap(elementFieldsIn);
  if (node.kind !== 'select' || node.operand.kind !== 'variable') return fields;
  return /^\.?(?:claims|user)$/.test(node.operand.name) ? fields : [node.field, ...fields];
};

const none: ReadonlyMap<string, string> = new Map();

export const mappingText = (mapping: JwtNode['username'] | MappingNode): string =>
  mapping.kind === 'claim' ? mapping.claim : mapping.expression.text;

/** Returns the fields of `user` that a rule reads; all if it uses the variable in another way. */
export const fieldsRead = (node: CodeNode): ReadonlySet<string> => {
  if (node.kind === 'select' && isUser(node.operand)) return new Set([node.field]);
  if (isUser(node)) return new Set(userFields);
  return new Set(childrenOf(node).flatMap((child) => [...fieldsRead(child)]));
};

const isUser = (node: CodeNode): boolean => isVariable(node, 'user') || isVariable(node, '.user');
