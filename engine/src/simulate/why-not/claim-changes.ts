/**
 * Values that a claim might have instead, by what an expression asks of it: guesses to be tried, each
 * with how far-fetched it is, and how it is told.
 */
import type { Hint } from './expression-hints.ts';

/** JSON data of a claim. */
export type ClaimData = null | boolean | number | string | readonly ClaimData[] | ClaimRecord;
export interface ClaimRecord {
  readonly [name: string]: ClaimData;
}

export interface ClaimChange {
  /** From the claims inwards; never empty. */
  readonly names: readonly string[];
  /** `undefined`: the claim is taken away. */
  readonly value: ClaimData | undefined;
  /** `hd were "corp.example"`; stands behind `if`. */
  readonly text: string;
  /** 1 for what the configuration itself names; more for what is invented. */
  readonly cost: number;
}

/** What may be put where a claim is missing or unfit, and nothing says what it should be. */
const inventedChange = (names: readonly string[], nowSeconds: number): ClaimChange => {
  const value = inventedValue(names.at(-1) ?? '', nowSeconds);
  return change(names, value, {
    cost: 2.5,
    text: `${pathText(names)} were there, such as ${JSON.stringify(value)}`,
  });
};

export const setChange = (names: readonly string[], value: ClaimData, cost = 1): ClaimChange =>
  change(names, value, { cost, text: `${pathText(names)} were ${JSON.stringify(value)}` });

export const changesFor = (
  { kind, literal, path }: Hint,
  current: ClaimData | undefined,
  { names, nowSeconds }: { readonly names: readonly string[]; readonly nowSeconds: number },
): readonly ClaimChange[] => {
  if (kind === 'presence') {
    return current === undefined
      ? [inventedChange(names, nowSeconds)]
      : [...converted(names, current), removal(names)];
  }
  if (literal === undefined) return [];
  if (kind === 'size') return sizeChanges(names, current);
  const asked = { kind, literal };
  // One text may stand for a list of one.
  const isPlain = !Array.isArray(current) && (!path.isItem || typeof current === 'string');
  const isList = path.isItem || Array.isArray(current) || current === undefined;
  return [
    ...(isPlain ? plainChanges(names, current, asked) : []),
    ...(isList ? itemChanges(names, current, asked) : []),
  ];
};

/** `realm_access.roles`, `["odd name"]`. */
const pathText = (names: readonly string[]): string =>
  names
    .map((name, index) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');

/** The value at a path; `undefined` where there is none. */
export const valueAt = (claims: ClaimRecord, names: readonly string[]): ClaimData | undefined => {
  let found: ClaimData | undefined = claims;
  for (const name of names) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
};

/** The claims with one changed; sections on the way are made where they are missing. */
export const withChange = (claims: ClaimRecord, { names, value }: ClaimChange): ClaimRecord => {
  const [first = '', ...rest] = names;
  const members = Object.entries(claims).filter(([name]) => name !== first);
  if (rest.length === 0) {
    return Object.fromEntries(value === undefined ? members : placed(claims, first, value));
  }
  const inner = Object.hasOwn(claims, first) ? claims[first] : undefined;
  const changed = withChange(isRecord(inner) ? inner : {}, {
    names: rest,
    value,
    text: '',
    cost: 0,
  });
  return Object.fromEntries(placed(claims, first, changed));
};

/** A changed claim keeps its place; own members of any name are made. */
const placed = (
  claims: ClaimRecord,
  name: string,
  value: ClaimData,
): readonly (readonly [string, ClaimData])[] =>
  Object.hasOwn(claims, name)
    ? Object.entries(claims).map(([key, old]) => [key, key === name ? value : old])
    : [...Object.entries(claims), [name, value]];

const isRecord = (value: ClaimData | undefined): value is ClaimRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const change = (
  names: readonly string[],
  value: ClaimData | undefined,
  { text, cost }: { readonly text: string; readonly cost: number },
): ClaimChange => ({ names, value, text, cost });

type Asked = Pick<Hint, 'kind'> & { readonly literal: string | number | boolean | null };

const plainChanges = (
  names: readonly string[],
  current: ClaimData | undefined,
  { kind, literal }: Asked,
): readonly ClaimChange[] => {
  const set = (value: ClaimData, cost = 1): ClaimChange => setChange(names, value, cost);
  if (kind === 'order' && typeof literal === 'number') {
    return [set(literal), set(literal + 1), set(literal - 1)];
  }
  if (kind === 'equal') {
    if (typeof literal === 'boolean') return [set(literal), set(!literal, 1.5)];
    if (current !== literal) return [set(literal)];
    return typeof literal === 'string'
      ? [set(`${literal}-other`, 3), removal(names)]
      : [removal(names)];
  }
  if (typeof literal !== 'string') return [];
  return fittingTexts(kind, literal, current).map((value) => set(value, 1.5));
};

/** Texts that begin with, end with or hold the literal; and the current one without it. */
const fittingTexts = (
  kind: Hint['kind'],
  literal: string,
  current: ClaimData | undefined,
): readonly string[] => {
  const text = typeof current === 'string' ? current : undefined;
  const without = text?.includes(literal) ? [text.replaceAll(literal, '')] : [];
  const base = text ?? 'jane';
  // Nobody has an address with two `@` in it.
  const isAddress = literal.includes('@');
  switch (kind) {
    case 'prefix':
      return [...without, literal + (isAddress ? base.replace(/^.*@/s, '') : base), literal];
    case 'suffix': {
      if (literal.startsWith('@')) return [...without, base.replace(/@.*$/s, '') + literal];
      return isAddress && base.includes('@')
        ? [...without, literal]
        : [...without, base + literal, literal];
    }
    case 'part':
      return isAddress && base.includes('@')
        ? [...without, literal]
        : [...without, literal, base + literal];
    case 'pattern':
      return plainPattern(literal);
    default:
      return [literal];
  }
};

/** A text that a plain pattern matches: anchors, escapes, and `.*` or `.+` for anything. */
const plainPattern = (pattern: string): readonly string[] => {
  const bare = pattern.replace(/^\^/, '').replace(/\$$/, '');
  const [first = ''] = bare.replace(/^\((.*)\)$/s, '$1').split('|');
  const text = first
    .replaceAll(/\[[^[\]]*\][*+]|\.[*+]|\\[wd][*+]/g, 'x1')
    .replaceAll(/\\([^A-Za-z0-9])/g, '$1');
  return [text];
};

const itemChanges = (
  names: readonly string[],
  current: ClaimData | undefined,
  { kind, literal }: Asked,
): readonly ClaimChange[] => {
  const list: readonly ClaimData[] = Array.isArray(current)
    ? current
    : typeof current === 'string'
      ? [current]
      : [];
  const path = pathText(names);
  const wanted =
    typeof literal === 'string' && kind !== 'equal'
      ? fittingTexts(kind, literal, undefined)
      : [literal];
  const added = wanted
    .filter((item) => !list.includes(item))
    .map((item) =>
      change(names, [...list, item], {
        cost: kind === 'equal' ? 1 : 1.5,
        text: `${path} held ${JSON.stringify(item)}`,
      }),
    );
  const unwanted = list.filter((item) => matches(item, { kind, literal }));
  if (unwanted.length === 0) return added;
  const kept = list.filter((item) => !unwanted.includes(item));
  return [
    ...added,
    change(names, kept, {
      cost: 1.5,
      text: `${path} did not hold ${unwanted.map((item) => JSON.stringify(item)).join(', ')}`,
    }),
  ];
};

const matches = (item: ClaimData, { kind, literal }: Asked): boolean => {
  if (typeof item !== 'string' || typeof literal !== 'string') return item === literal;
  if (kind === 'prefix') return item.startsWith(literal);
  if (kind === 'suffix') return item.endsWith(literal);
  return kind === 'part' ? item.includes(literal) : item === literal;
};

const sizeChanges = (
  names: readonly string[],
  current: ClaimData | undefined,
): readonly ClaimChange[] => {
  if (typeof current === 'string') return current === '' ? [setChange(names, 'jane', 2)] : [];
  const list = Array.isArray(current) ? current : [];
  return [
    change(names, [...list, 'developers'], {
      cost: 2,
      text: `${pathText(names)} held one more, such as "developers"`,
    }),
    ...(list.length > 1
      ? [
          change(names, list.slice(0, 1), {
            cost: 2,
            text: `${pathText(names)} held ${JSON.stringify(list[0])} alone`,
          }),
        ]
      : []),
  ];
};

const removal = (names: readonly string[]): ClaimChange =>
  change(names, undefined, { cost: 3, text: `${pathText(names)} were absent` });

/** The same in another type: a number as text, a text as a list of one. */
const converted = (names: readonly string[], current: ClaimData): readonly ClaimChange[] => {
  const set = (value: ClaimData): ClaimChange => setChange(names, value, 2);
  if (typeof current === 'number') return [set(String(current))];
  if (typeof current === 'boolean') return [set(String(current)), set(!current)];
  if (current === null) return [set('jane')];
  if (typeof current !== 'string') {
    return Array.isArray(current) ? [set(current.map(textOf))] : [];
  }
  const number = current.trim() === '' ? Number.NaN : Number(current);
  return [
    ...(current === '' ? [set('jane')] : []),
    ...(current === 'true' || current === 'false' ? [set(current === 'true')] : []),
    ...(Number.isFinite(number) ? [set(number)] : []),
    set([current]),
  ];
};

const textOf = (item: ClaimData): string =>
  typeof item === 'string' ? item : (JSON.stringify(item) ?? '');

/** As issuers send them. */
const inventedValue = (name: string, nowSeconds: number): ClaimData => {
  if (/^(exp|expires)/.test(name)) return nowSeconds + 3600;
  if (/^(iat|nbf|auth_time|updated_at)$/.test(name)) return nowSeconds;
  if (/verified$/.test(name)) return true;
  if (/groups|roles|teams|scopes$/.test(name)) return ['developers'];
  if (/e?mail|upn/i.test(name)) return 'jane@example.com';
  return /^(sub|name|user|preferred_username|nickname|login)/.test(name) ? 'jane' : 'value';
};
