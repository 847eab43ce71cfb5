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

export const setChange = (names: readonly string[], value: ClaimData, cost = 1): ClaimChange =>
  change(names, value, { cost, text: `${pathText(names)} were ${JSON.stringify(value)}` });

/** What is known about a claim that a proposal changes. */
export interface ClaimContext {
  readonly names: readonly string[];
  readonly nowSeconds: number;
  /** The values that other samples of the issuer have. */
  readonly samples: readonly ClaimData[];
  /** Whether a rule is false, and not an evaluation failed, for which the type may be the cause. */
  readonly isFalseRule: boolean;
}

export const changesFor = (
  { kind, literal, path }: Hint,
  current: ClaimData | undefined,
  context: ClaimContext,
): readonly ClaimChange[] => {
  const { names, isFalseRule } = context;
  if (kind === 'presence') {
    if (current === undefined)
      return [...sampleChanges(context, undefined), ...inventChange(context)];
    return isFalseRule
      ? [...sampleChanges(context, current), removal(names)]
      : [...convertValue(current, context), removal(names)];
  }
  if (literal === undefined) return [];
  if (kind === 'size') return sizeChanges(current, context);
  const condition = { kind, literal };
  // A value of the issuer is better than one that is made to fit.
  const isKnown = madeToFit.has(kind) && context.samples.some((value) => matches(value, condition));
  // A single string may be used in place of a list of one.
  const isPlain = !Array.isArray(current) && (!path.isItem || typeof current === 'string');
  const isList = Array.isArray(current) || (path.isItem && current === undefined);
  return [
    ...(isPlain ? sampleChanges(context, current ?? literal) : []),
    ...(isPlain && !isKnown ? plainChanges(names, current, condition) : []),
    ...(isList ? itemChanges(names, current, condition) : []),
  ];
};

/** Conditions that many strings fulfill. */
const madeToFit: ReadonlySet<Hint['kind']> = new Set(['prefix', 'suffix', 'part', 'pattern']);

/** Proposes the values of other samples; they are of the same type as the value, if there is one. */
const sampleChanges = (
  { names, samples }: ClaimContext,
  alike: ClaimData | undefined,
): readonly ClaimChange[] =>
  samples
    .filter((value) => alike === undefined || typeOf(value) === typeOf(alike))
    .slice(0, mostSampleValues)
    .map((value) => setChange(names, value, 0.9));

/** More values of other samples are not tried for one claim. */
const mostSampleValues = 5;

const typeOf = (value: ClaimData): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Proposes a value for a missing or empty claim whose name says what it contains. */
const inventChange = ({ names, nowSeconds }: ClaimContext): readonly ClaimChange[] => {
  const value = inventValue(names.at(-1) ?? '', nowSeconds);
  if (value === undefined) return [];
  const text = `${pathText(names)} were present, such as ${JSON.stringify(value)}`;
  return [change(names, value, { cost: 2.5, text })];
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
    return Object.fromEntries(value === undefined ? members : setMember(claims, first, value));
  }
  const inner = Object.hasOwn(claims, first) ? claims[first] : undefined;
  const changed = withChange(isRecord(inner) ? inner : {}, {
    names: rest,
    value,
    text: '',
    cost: 0,
  });
  return Object.fromEntries(setMember(claims, first, changed));
};

/** Sets a member in its old position; own members of any name can be created. */
const setMember = (
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

type Condition = Pick<Hint, 'kind'> & { readonly literal: string | number | boolean | null };

const plainChanges = (
  names: readonly string[],
  current: ClaimData | undefined,
  { kind, literal }: Condition,
): readonly ClaimChange[] => {
  const set = (value: ClaimData, cost = 1): ClaimChange => setChange(names, value, cost);
  if (kind === 'order' && typeof literal === 'number') {
    return [literal, literal + 1, literal - 1].map((value) =>
      set(typeof current === 'string' ? String(value) : value),
    );
  }
  if (kind === 'equal' || kind === 'unequal') {
    if (typeof literal === 'boolean') {
      const wanted = kind === 'equal' ? literal : !literal;
      return [set(wanted), set(!wanted, 1.5)];
    }
    return kind === 'equal' && current !== literal ? [set(literal)] : [removal(names)];
  }
  if (typeof literal !== 'string') return [];
  return fittingTexts(kind, literal, current).map((value) => set(value, 1.5));
};

/**
 * Returns strings that begin with, end with or contain the literal, and the current string without
 * it. Only simple names are extended: a path or a URL with another beginning is no value of the
 * issuer.
 */
const fittingTexts = (
  kind: Hint['kind'],
  literal: string,
  current: ClaimData | undefined,
): readonly string[] => {
  const text = typeof current === 'string' ? current : undefined;
  const without = text?.includes(literal) ? [text.replaceAll(literal, '')] : [];
  const base = text !== undefined && /^[\w.@+-]+$/.test(text) ? text : '';
  // An email address does not contain two `@`.
  const isAddress = literal.includes('@');
  const extend = (value: string): readonly string[] => (base === '' ? [] : [value]);
  switch (kind) {
    case 'prefix':
      return [
        ...without,
        ...extend(literal + (isAddress ? base.replace(/^.*@/s, '') : base)),
        literal,
      ];
    case 'suffix': {
      if (literal.startsWith('@'))
        return [...without, (base.replace(/@.*$/s, '') || 'jane') + literal];
      return isAddress && base.includes('@')
        ? [...without, literal]
        : [...without, ...extend(base + literal), literal];
    }
    case 'part':
      return isAddress && base.includes('@')
        ? [...without, literal]
        : [...without, literal, ...extend(base + literal)];
    case 'pattern':
      return plainPattern(literal);
    default:
      return [literal];
  }
};

/** Returns the strings that a pattern of literal alternatives matches. */
const plainPattern = (pattern: string): readonly string[] =>
  pattern
    .replaceAll(/^\^|\$$/g, '')
    .replace(/^\((.*)\)$/s, '$1')
    .split('|')
    .filter((text) => !/[*+?()[\]{}]|\\\w/.test(text.replaceAll(/\\\W/g, '')))
    .map((text) => text.replaceAll(/\\(\W)/g, '$1'));

const itemChanges = (
  names: readonly string[],
  current: ClaimData | undefined,
  { kind, literal }: Condition,
): readonly ClaimChange[] => {
  const list: readonly ClaimData[] = Array.isArray(current) ? current : [];
  const path = pathText(names);
  const wanted =
    typeof literal === 'string' && kind !== 'equal' && kind !== 'unequal'
      ? fittingTexts(kind, literal, undefined)
      : [literal];
  const added = wanted
    .filter((item) => kind !== 'unequal' && !list.includes(item))
    .map((item) =>
      change(names, [...list, item], {
        cost: kind === 'equal' ? 1 : 1.5,
        text: `${path} ${list.length === 0 ? 'contained' : 'also contained'} ${JSON.stringify(item)}`,
      }),
    );
  const unwanted = list.filter((item) => matches(item, { kind, literal }));
  if (unwanted.length === 0) return added;
  const otherItems = list.filter((item) => !unwanted.includes(item));
  return [
    ...added,
    change(names, otherItems, {
      cost: 1.5,
      text: `${path} did not contain ${unwanted.map((item) => JSON.stringify(item)).join(', ')}`,
    }),
  ];
};

const matches = (item: ClaimData, { kind, literal }: Condition): boolean => {
  if (typeof item !== 'string' || typeof literal !== 'string') return item === literal;
  if (kind === 'prefix') return item.startsWith(literal);
  if (kind === 'suffix') return item.endsWith(literal);
  return kind === 'part' ? item.includes(literal) : item === literal;
};

const sizeChanges = (
  current: ClaimData | undefined,
  context: ClaimContext,
): readonly ClaimChange[] => {
  const { names } = context;
  const others = [
    ...sampleChanges(context, current),
    ...(isEmpty(current) ? inventChange(context) : []),
  ];
  if (!Array.isArray(current) || current.length < 2) return others;
  const text = `${pathText(names)} contained only ${JSON.stringify(current[0])}`;
  return [...others, change(names, current.slice(0, 1), { cost: 2, text })];
};

const isEmpty = (value: ClaimData | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

const removal = (names: readonly string[]): ClaimChange =>
  change(names, undefined, { cost: 3, text: `${pathText(names)} were absent` });

/** Proposes the same value in another type: a number as a string, a string as a list of one. */
const convertValue = (current: ClaimData, context: ClaimContext): readonly ClaimChange[] => {
  const { names } = context;
  const set = (value: ClaimData): ClaimChange => setChange(names, value, 2);
  const samples = sampleChanges(context, undefined);
  if (isEmpty(current)) return [...samples, ...inventChange(context)];
  if (typeof current === 'number') return [...samples, set(String(current))];
  if (typeof current === 'boolean') return [...samples, set(String(current)), set(!current)];
  if (typeof current !== 'string') {
    return Array.isArray(current) ? [...samples, set(current.map(textOf))] : samples;
  }
  const number = current.trim() === '' ? Number.NaN : Number(current);
  return [
    ...samples,
    ...(current === 'true' || current === 'false' ? [set(current === 'true')] : []),
    ...(Number.isFinite(number) ? [set(number)] : []),
    set([current]),
  ];
};

const textOf = (item: ClaimData): string =>
  typeof item === 'string' ? item : (JSON.stringify(item) ?? '');

/**
 * Returns an example value in the form that issuers send; `undefined` if the name of the claim does
 * not say what it contains.
 */
const inventValue = (name: string, nowSeconds: number): ClaimData | undefined => {
  if (/^(exp|expires)/.test(name)) return nowSeconds + 3600;
  if (/^(iat|nbf|auth_time|updated_at)$/.test(name)) return nowSeconds;
  if (/verified$/.test(name)) return true;
  if (/groups|roles|teams|scopes$/.test(name)) return ['developers'];
  if (/e?mail|upn/i.test(name)) return 'jane@example.com';
  return /^(sub|name|user|preferred_username|nickname|login)/.test(name) ? 'jane' : undefined;
};
