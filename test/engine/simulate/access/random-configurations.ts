/** Creates pairs of configurations that differ a little, and claims to try them with; equal seeds give equal ones. */
import { randomNumbers } from '../../../../engine/src/simulate/access/random-numbers.ts';
import { configuration, type Parts } from './configurations.ts';

export interface RandomPair {
  readonly before: string;
  readonly after: string;
}

type Claims = Readonly<Record<string, unknown>>;

const literals = ['a', 'ab', 'b', 'x-a', 'A', 'a@b', '', '1', 'true'];
const patterns = ['^a+$', '^[a-b]{2,3}$', 'b', '^(a|x-).*$', '^$', '[^a]', '(?i)^ab$', '^.b'];
const paths = ['claims.p', 'claims.q', 'claims.o.r'];
const usernames = [
  `{expression: "'u:' + claims.sub"}`,
  `{claim: sub, prefix: 'a'}`,
  '{expression: "string(claims.p)"}',
  '{expression: "claims.?q.orValue(claims.sub)"}',
  `{expression: "claims.q == 'a' ? 'admin' : 'user'"}`,
];
const groups = [
  undefined,
  `{claim: g, prefix: 'x-'}`,
  `{claim: g, prefix: ''}`,
  `{expression: "dyn(claims.g).filter(i, i != 'a')"}`,
  `{expression: "dyn(claims.g).map(i, 'x-' + i)"}`,
  '{expression: "claims.q"}',
];
const userRules = [
  "!user.username.startsWith('a')",
  "!user.groups.exists(g, g.startsWith('x-a'))",
  "user.username != 'u:a'",
  "!('a' in user.groups)",
  'size(user.groups) < 2',
  'user.groups.all(g, g.size() > 1)',
];
const extraKey = 'example.com/a';
const extraValues = [
  'claims.p',
  "'x-' + string(claims.q)",
  "claims.?q.orValue('')",
  "dyn(claims.g).filter(i, i != 'a')",
  "dyn(claims.g).map(i, 'x-' + i)",
];
const extraRules = [
  `'a' in user.extra['${extraKey}']`,
  `user.extra[?'${extraKey}'].orValue([]).all(v, v.startsWith('x-'))`,
  `user.extra['${extraKey}'].exists(v, v.endsWith('b'))`,
  `'${extraKey}' in user.extra`,
  `!('${extraKey}' in user.extra)`,
  `size(user.extra['${extraKey}']) < 2`,
  `'other.example.com/a' in user.extra || '${extraKey}' in user.extra`,
];

/** Creates random pairs and claims. */
export class RandomConfigurations {
  readonly #next: (limit: number) => number;
  readonly #depth: number;
  readonly #readsExtra: boolean;

  /** Nests the operators of rules up to `depth` times; if wanted, rules read `user.extra`, too. */
  constructor(seed: number, depth: number, { readsExtra = false } = {}) {
    this.#next = randomNumbers(seed);
    this.#depth = depth;
    this.#readsExtra = readsExtra;
  }

  pair(): RandomPair {
    const rules = Array.from({ length: 1 + this.#next(2) }, () => this.#expression(this.#depth));
    const before: Parts = {
      rules,
      username: this.#pick(usernames),
      ...this.#groups(),
      ...this.#extra(),
      userRules: this.#next(2) === 0 ? [] : [this.#userRule()],
    };
    const changed = [...rules];
    changed[this.#next(changed.length)] = this.#expression(this.#depth);
    if (this.#next(4) === 0) changed.reverse();
    const { groups: _groups, ...others } = before;
    const after: Parts = {
      ...(this.#next(6) === 0 ? { ...others, ...this.#groups() } : before),
      rules: this.#next(3) === 0 ? rules : changed,
      ...(this.#next(4) === 0 ? { userRules: [this.#userRule()] } : {}),
      ...(this.#next(6) === 0 ? { username: this.#pick(usernames) } : {}),
    };
    return { before: configuration(before), after: configuration(after) };
  }

  claims(): Claims {
    const claims: Record<string, unknown> = { iss: 'https://idp.example.com', aud: 'kube' };
    if (this.#next(8) > 0) claims.sub = this.#pick([...literals, 'jane']);
    for (const name of ['p', 'q']) if (this.#next(5) > 0) claims[name] = this.#value();
    if (this.#next(4) > 0) claims.o = this.#next(5) === 0 ? this.#value() : { r: this.#value() };
    if (this.#next(6) > 0) claims.g = this.#next(5) === 0 ? this.#value() : this.#list();
    return claims;
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#next(items.length)];
    if (item === undefined && items.length === 0) throw new Error('there is nothing to pick');
    return item as Item;
  }

  #groups(): Pick<Parts, 'groups'> {
    const mapping = this.#pick(groups);
    return mapping === undefined ? {} : { groups: mapping };
  }

  #extra(): Pick<Parts, 'extra'> {
    if (!this.#readsExtra || this.#next(2) === 0) return {};
    return { extra: { [extraKey]: this.#pick(extraValues) } };
  }

  #userRule(): string {
    return this.#pick(this.#readsExtra && this.#next(2) === 0 ? extraRules : userRules);
  }

  #expression(depth: number): string {
    if (depth === 0 || this.#next(3) === 0) return this.#statement();
    const [a, b, c] = [0, 1, 2].map(() => this.#expression(depth - 1));
    return this.#pick([`(${a} && ${b})`, `(${a} || ${b})`, `!(${a})`, `(${a} ? ${b} : ${c})`]);
  }

  #string(): string {
    const path = this.#pick(paths);
    return this.#pick([
      path,
      path,
      `string(${path})`,
      `string(${path}).lowerAscii()`,
      `('x-' + string(${path}))`,
      `(${path} + 'b')`,
      `string(${path}).split('@')[0]`,
      `${path}.split('a')[1]`,
      `string(${path}).replace('a', 'b')`,
      `${path}.trim()`,
      `${path}.substring(1)`,
      `${path}.charAt(0)`,
      `claims.?${this.#pick(['p', 'q'])}.orValue('${this.#pick(literals)}')`,
      `(has(claims.q) ? claims.q : ${path})`,
    ]);
  }

  #statement(): string {
    const path = this.#pick(paths);
    const literal = this.#pick(literals);
    const quantifier = this.#pick(['exists', 'all', 'exists_one']);
    const comparison = this.#pick(['<', '<=', '>', '>=', '==', '!=']);
    const number = this.#pick(['1', '2', '3', '2.5']);
    const statements = [
      `${this.#string()} == '${literal}'`,
      `${this.#string()} != '${literal}'`,
      `${this.#string()}.startsWith('${literal}')`,
      `${this.#string()}.endsWith('${literal}')`,
      `${this.#string()}.contains('${literal}')`,
      `${this.#string()}.matches('${this.#pick(patterns)}')`,
      `size(${this.#string()}) ${comparison} ${this.#pick(['1', '2', '3'])}`,
      `has(${path})`,
      `${path} in ['${literal}', '${this.#pick(literals)}']`,
      `${path} == ${this.#pick(['true', 'null', '1', '2.5'])}`,
      `${path} ${comparison} ${number}`,
      `${path} <= '${literal}'`,
      `${this.#pick(['claims.p == claims.q', 'claims.p != claims.o.r'])}`,
      `dyn(claims.g).${quantifier}(g, g == '${literal}')`,
      `dyn(claims.g).${quantifier}(g, string(g).startsWith('${literal}'))`,
      `dyn(claims.g).${quantifier}(g, g in ['${literal}', '${this.#pick(literals)}'])`,
      `dyn(claims.g).filter(g, g != '${literal}').size() ${comparison} ${this.#pick(['0', '1'])}`,
      `'${literal}' in claims.g`,
      `size(claims.g) ${comparison} ${this.#pick(['0', '1', '2'])}`,
      `type(${path}) == ${this.#pick(['string', 'list', 'double', 'map'])}`,
    ];
    return this.#pick(statements);
  }

  #value(): unknown {
    if (this.#next(2) === 0) return this.#pick(literals);
    const others = [
      'x-',
      'ab@x',
      'ba',
      ' a ',
      'aab',
      'B',
      1,
      2,
      2.5,
      3,
      0,
      -1,
      1e6,
      true,
      false,
      null,
      {},
    ];
    const value = this.#pick([...others, 'list', 'object']);
    if (value === 'list') return this.#list();
    return value === 'object' ? { [this.#pick(literals)]: 1 } : value;
  }

  #list(): readonly unknown[] {
    const items = [...literals, ...literals, 'x-ab', null, 1, true, {}];
    return Array.from({ length: this.#next(4) }, () => this.#pick(items));
  }
}
