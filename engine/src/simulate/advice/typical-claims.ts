/**
 * Guesses claims that an authenticator accepts from the comparisons in its rules. Most rules are
 * simple, so that the guess spares a search; whether it is right is decided by the graph.
 */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import type { JsonObject, JsonValue } from '../../formats/json-with-shape.ts';
import { type CodeNode, childrenOf, isCall, readCode, stringOf } from '../access/code-nodes.ts';

/** Returns the guess, with the claims of the rules and mappings. */
export const typicalClaims = (node: JwtNode): JsonObject => {
  const guess = new ClaimGuess();
  for (const rule of node.claimValidationRules) {
    if (rule.kind === 'claim') guess.set([rule.claim], rule.requiredValue);
    else guess.visit(readCode(rule.expression.code), new Map(), 'true');
  }
  for (const { expression } of node.userValidationRules)
    guess.visit(readCode(expression.code), new Map(), 'true');
  const { username, uid, extra, groups } = node;
  for (const mapping of [username, uid])
    if (mapping?.kind === 'claim') guess.set([mapping.claim], defaultFor(mapping.claim));
  for (const mapping of [username, uid, groups])
    if (mapping?.kind === 'expression') guess.visit(readCode(mapping.expression.code), new Map());
  for (const { expression } of extra) guess.visit(readCode(expression.code), new Map());
  return { iss: node.issuerUrl, aud: node.audiences[0] ?? '', ...guess.claims() };
};

/** Returns the names of the claims that an expression reads. */
export const claimsRead = ({ code }: SerializedExpression): readonly string[] => {
  const names = new Set<string>();
  const visit = (node: CodeNode): void => {
    const [root] = pathOf(node, new Map())?.path ?? [];
    if (root !== undefined) names.add(root);
    childrenOf(node).forEach(visit);
  };
  visit(readCode(code));
  return [...names];
};

/** What an expression should be. */
type Wanted = 'true' | 'false' | undefined;

/** A claim, a member of a claim, or an element of a list in it. */
interface ClaimPlace {
  readonly path: readonly string[];
  readonly isElement: boolean;
}

/** Loop variables, and the list whose elements they are. */
type Scope = ReadonlyMap<string, ClaimPlace>;

class ClaimGuess {
  readonly #claims: Record<string, unknown> = {};

  claims(): JsonObject {
    return this.#claims as JsonObject;
  }

  /** Sets a claim, unless an earlier comparison did. */
  set(path: readonly string[], value: JsonValue): void {
    let parent = this.#claims;
    for (const name of path.slice(0, -1)) {
      parent[name] ??= {};
      const child = parent[name];
      if (typeof child !== 'object' || child === null || Array.isArray(child)) return;
      parent = child as Record<string, unknown>;
    }
    const name = path.at(-1) ?? '';
    if (!Object.hasOwn(parent, name)) parent[name] = value;
  }

  visit(node: CodeNode, scope: Scope, wanted?: Wanted): void {
    const place = pathOf(node, scope);
    if (place !== undefined) {
      this.#assign(place, wanted === undefined ? undefined : wanted === 'true');
      return;
    }
    if (node.kind === 'select' && node.isTest) {
      const tested = pathOf(node.operand, scope);
      const path = tested === undefined ? undefined : [...tested.path, node.field];
      if (path !== undefined && wanted !== 'false' && tested?.isElement === false)
        this.set(path, defaultFor(node.field));
      return;
    }
    if (node.kind === 'loop') {
      // The range can be a call that shows what the claim is, such as split().
      if (pathOf(node.range, scope) === undefined) this.visit(node.range, scope);
      const range = pathOf(node.range, scope);
      const inner =
        range === undefined
          ? scope
          : new Map([...scope, [node.variable, { path: range.path, isElement: true }] as const]);
      this.visit(node.step, inner, wanted);
      this.visit(node.range, scope);
      return;
    }
    if (node.kind === 'call' && this.#visitCall(node, scope, wanted)) return;
    for (const child of childrenOf(node)) this.visit(child, scope);
  }

  /** Returns false for a call without a special meaning. */
  #visitCall(
    node: Extract<CodeNode, { readonly kind: 'call' }>,
    scope: Scope,
    wanted: Wanted,
  ): boolean {
    const { name, args } = node;
    if (name === '_&&_' || name === '_||_') {
      for (const arg of args) this.visit(arg, scope, wanted);
      return true;
    }
    if (isCall(node, '!_')) {
      const [negated] = args;
      if (negated !== undefined) this.visit(negated, scope, opposite(wanted));
      return true;
    }
    const [split] = name === 'split' ? args : [];
    const text = split === undefined ? undefined : pathOf(split, scope);
    if (text?.isElement === false) this.#assign(text, 'developers');
    const value = wanted === 'false' ? undefined : valueFor(node, scope);
    if (value === undefined) return false;
    this.#assign(value.place, value.value);
    return true;
  }

  #assign({ path, isElement }: ClaimPlace, value: JsonValue | undefined): void {
    const name = path.at(-1);
    if (name === undefined) return;
    if (isElement) this.set(path, [value ?? 'developers']);
    else this.set(path, value ?? defaultFor(name));
  }
}

const opposite = (wanted: Wanted): Wanted =>
  wanted === 'true' ? 'false' : wanted === 'false' ? 'true' : undefined;

/** Returns the value of a claim for which a comparison is true. */
const valueFor = (
  { name, args }: Extract<CodeNode, { readonly kind: 'call' }>,
  scope: Scope,
): { readonly place: ClaimPlace; readonly value: JsonValue } | undefined => {
  const [left, right] = args;
  if (left === undefined || right === undefined) return undefined;
  if (name === '@in') {
    const list = pathOf(right, scope);
    const element = constant(left);
    if (list !== undefined && element !== undefined) return { place: list, value: [element] };
    const place = pathOf(left, scope);
    const [first] = right.kind === 'list' ? right.elements : [];
    const value = constant(first);
    return place === undefined || value === undefined ? undefined : { place, value };
  }
  const [place, other] =
    pathOf(left, scope) === undefined ? [pathOf(right, scope), left] : [pathOf(left, scope), right];
  const value = constant(other);
  if (place === undefined || value === undefined) return undefined;
  if (name === '_==_' || name === 'contains') return { place, value };
  if (name === 'startsWith') return { place, value: `${String(value)}x` };
  return name === 'endsWith' ? { place, value: `x${String(value)}` } : undefined;
};

const constant = (node: CodeNode | undefined): JsonValue | undefined => {
  if (node?.kind !== 'constant') return undefined;
  const { type, value } = node;
  if (type === 'string' || type === 'bool') return value as string | boolean;
  return type === 'int' || type === 'double' ? Number(value) : undefined;
};

/** Returns the claim that a node reads: `claims.a.b`, `claims['a']`, `claims.?a.orValue('')`. */
const pathOf = (node: CodeNode, scope: Scope): ClaimPlace | undefined => {
  if (node.kind === 'variable')
    return node.name === 'claims' || node.name === '.claims' ? root : scope.get(node.name);
  if (node.kind === 'select')
    return node.isTest ? undefined : below(node.operand, node.field, scope);
  if (node.kind !== 'call') return undefined;
  const [first, second] = node.args;
  if (first === undefined) return undefined;
  if (transparent.has(node.name)) return pathOf(first, scope);
  const key = stringOf(second);
  return members.has(node.name) && key !== undefined ? below(first, key, scope) : undefined;
};

const root: ClaimPlace = { path: [], isElement: false };

const below = (node: CodeNode, name: string, scope: Scope): ClaimPlace | undefined => {
  const parent = pathOf(node, scope);
  return parent === undefined || parent.isElement
    ? undefined
    : { path: [...parent.path, name], isElement: false };
};

const transparent: ReadonlySet<string> = new Set([
  'dyn',
  'string',
  'orValue',
  'lowerAscii',
  'value',
  'hasValue',
]);
const members: ReadonlySet<string> = new Set(['_[_]', '_?._', '_[?_]']);

/** Returns a value that a claim of this name usually has. */
const defaultFor = (name: string): JsonValue => {
  if (name === 'email') return 'jane@example.com';
  if (name === 'email_verified') return true;
  if (/^(?:groups|roles|scopes?|permissions)$/.test(name)) return ['developers'];
  return seconds.get(name) ?? 'jane';
};

/** Claims that are times, in seconds. */
const seconds: ReadonlyMap<string, number> = new Map([
  ['iat', 1_767_225_600],
  ['nbf', 1_767_225_600],
  ['auth_time', 1_767_225_600],
  ['exp', 1_767_229_200],
]);
