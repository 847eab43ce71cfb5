/**
 * Proposes other values for a claim, from what an expression expects of it. Each proposal is a
 * guess that has to be tried; it has a cost and a description.
 */
import type { Hint } from './expression-hints.ts';

/** The value of a claim as JSON data. */
export type ClaimData = null | boolean | number | string | readonly ClaimData[] | ClaimRecord;
export interface ClaimRecord {
  readonly [name: string]: ClaimData;
}

export interface ClaimChange {
  /** The path of the claim in the claims; never empty. */
  readonly names: readonly string[];
  /** The new value; `undefined` removes the claim. */
  readonly value: ClaimData | undefined;
  /** The description, which follows `if`: `hd were "corp.example"`. */
  readonly text: string;
  /** The cost: 1 for values that the configuration names; more for invented values. */
  readonly cost: number;
}

/** Proposes a value for a missing or invalid claim if nothing says what it should be. */
const inventedChange = (names: readonly string[], nowSeconds: number): ClaimChange => {
  const value = inventedValue(names.at(-1) ?? '', nowSeconds);
  return change(names, value, {
    cost: 2.5,
    text: `${pathText(names)} were present, such as ${JSON.stringify(value)}`,
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
  // A single string may be used in place of a list of one.
  const isPlain = !Array.isArray(current) && (!path.isItem || typeof current === 'string');
  const isList = path.isItem || Array.isArray(current) || current === undefined;
  return [
    ...(isPlain ? plainChanges(names, current, asked) : []),
    ...(isList ? itemChanges(names, current, asked) : []),
  ];
};

/** Formats a path: `realm_access.roles`, `["a b"]`. */
const pathText = (names: readonly string[]): string =>
  names
    .map((name, index) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');

/** Returns the value at a path, or `undefined` if there is none. */
export const valueAt = (claims: ClaimRecord, names: readonly string[]): ClaimData | undefined => {
  let found: ClaimData | undefined = claims;
  for (const name of names) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
};

/** Returns the claims with one change; missing objects on its path are created. */
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

/** Sets a member in its old position; own members of any name can be created. */
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

/**
 * Returns strings that begin with, end with or contain the literal, and the current string without
 * it.
 */
const fittingTexts = (
  kind: Hint['kind'],
  literal: string,
  current: ClaimData | undefined,
): readonly string[] => {
  const text = typeof current === 'string' ? current : undefined;
  const without = text?.includes(literal) ? [text.replaceAll(literal, '')] : [];
  const base = text ?? 'jane';
  // An email address does not contain two `@`.
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

/**
 * Returns a string that matches a simple pattern: anchors, escapes, and `.*` or `.+` for anything.
 */
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
        text: `${path} ${list.length === 0 ? 'contained' : 'also contained'} ${JSON.stringify(item)}`,
      }),
    );
  const unwanted = list.filter((item) => matches(item, { kind, literal }));
  if (unwanted.length === 0) return added;
  const kept = list.filter((item) => !unwanted.includes(item));
  return [
    ...added,
    change(names, kept, {
      cost: 1.5,
      text: `${path} did not contain ${unwanted.map((item) => JSON.stringify(item)).join(', ')}`,
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
      text: `${pathText(names)} ${list.length === 0 ? 'contained' : 'also contained'} "developers"`,
    }),
    ...(list.length > 1
      ? [
          change(names, list.slice(0, 1), {
            cost: 2,
            text: `${pathText(names)} contained only ${JSON.stringify(list[0])}`,
          }),
        ]
      : []),
  ];
};

const removal = (names: readonly string[]): ClaimChange =>
  change(names, undefined, { cost: 3, text: `${pathText(names)} were absent` });

/** Proposes the same value in another type: a number as a string, a string as a list of one. */
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

/** Returns an example value in the form that issuers send. */
const inventedValue = (name: string, nowSeconds: number): ClaimData => {
  if (/^(exp|expires)/.test(name)) return nowSeconds + 3600;
  if (/^(iat|nbf|auth_time|updated_at)$/.test(name)) return nowSeconds;
  if (/verified$/.test(name)) return true;
  if (/groups|roles|teams|scopes$/.test(name)) return ['developers'];
  if (/e?mail|upn/i.test(name)) return 'jane@example.com';
  return /^(sub|name|user|preferred_username|nickname|login)/.test(name) ? 'jane' : 'value';
};
