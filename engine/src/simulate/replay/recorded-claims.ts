/**
 * Claims of a decision log as claims that can be mapped. A string that is not in the log is replaced
 * by a placeholder where every other string would be decided alike; reading any other value that is
 * missing ends the evaluation, so that nothing is ever decided by a guess.
 */
import {
  claimMarks,
  hasReservedCharacter,
  markStart,
  maxClaimRecordDepth,
  placeholderEnd,
  placeholderStart,
  pseudonymPattern,
} from '../../authenticators/jwt/claim-record.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../formats/json-with-shape.ts';
import type { Decision } from '../../model/decision.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { type ClaimPath, elementStep } from '../access/claim-reads.ts';

/** Thrown when a value is read that is not in the log. */
export class MissingValueError extends Error {
  /** The claim: `realm_access.roles`. */
  readonly claim: string;

  constructor(claim: string) {
    super(`the log does not contain the value of claim ${claim}`);
    this.claim = claim;
  }
}

/** How values that are not in the log are replaced. */
export interface OpenOptions {
  /** Checks whether any other string may stand for the string at a path. */
  treatsAlike(path: ClaimPath): boolean;
  /** Returns the string that has a pseudonym, if it is known. */
  stringOf(pseudonym: string): string | undefined;
}

/** Matches a placeholder. */
const placeholder = new RegExp(
  `${placeholderStart}[^${placeholderStart}${placeholderEnd}]*${placeholderEnd}`,
  'g',
);

/** Matches a placeholder or any other character. */
const unit = new RegExp(`${placeholder.source}|[^${placeholderStart}]`, 'gsu');

export const hasPlaceholder = (text: string): boolean => text.includes(placeholderStart);

/** Returns the text for people: each placeholder is the name of its claim in angle brackets. */
const withoutPlaceholders = (text: string): string =>
  text.replaceAll(placeholder, (found) => `<${nameOfPlaceholder(found)}>`);

/** Returns the decision for people, who cannot read placeholders. */
export const withClaimNames = (decision: Decision): Decision => {
  if (decision.kind === 'noOpinion') return decision;
  if (decision.kind === 'rejected') {
    const message = withoutPlaceholders(decision.reason.message);
    return { ...decision, reason: { ...decision.reason, message } };
  }
  const { username, uid, groups, extra } = decision.user;
  const user: UserInfo = {
    username: withoutPlaceholders(username),
    uid: withoutPlaceholders(uid),
    groups: groups.map(withoutPlaceholders),
    extra: new Map([...extra].map(([key, values]) => [key, values.map(withoutPlaceholders)])),
  };
  return { ...decision, user };
};

/** Returns the claims whose placeholders a text contains. */
export const claimsIn = (text: string): readonly string[] =>
  (text.match(placeholder) ?? []).map((found) => nameOfPlaceholder(found).split('[', 1)[0] ?? '');

const nameOfPlaceholder = (text: string): string => text.slice(1, -1).split('\0', 1)[0] ?? '';

/** Splits a text into characters and placeholders. */
export const unitsOf = (text: string): readonly string[] => text.match(unit) ?? [];

/** Returns the claims, or `undefined` if they are nested deeper than a log contains. */
export const openClaims = (recorded: JsonObject, options: OpenOptions): JsonObject | undefined => {
  if (!isShallow(recorded, maxClaimRecordDepth + 1)) return undefined;
  return openMembers(recorded, [], { options, item: '', claimByPseudonym: new Map() });
};

const isShallow = (value: JsonValue, depth: number): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
};

/** What is known while claims are opened. */
interface OpenContext {
  readonly options: OpenOptions;
  /** The indices of the items of lists around a value. */
  readonly item: string;
  /** The first claim with each pseudonym, whose name its placeholder has. */
  readonly claimByPseudonym: Map<string, string>;
}

const openMembers = (recorded: JsonObject, path: ClaimPath, context: OpenContext): JsonObject => {
  const opened: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(recorded)) {
    const result = openValue(value, [...path, name], context);
    // Assigning a member of this name would set the prototype.
    if ('value' in result && name !== '__proto__') opened[name] = result.value;
    else define(opened, name, result);
  }
  return opened;
};

/** A value, or a value that is missing. */
type Opened = { readonly value: JsonValue } | { readonly missing: string };

/** Defines an own member whatever its name is; reading a missing value throws. */
const define = (target: object, name: string | number, opened: Opened): void => {
  const common = { enumerable: true, configurable: true };
  if ('value' in opened) {
    Object.defineProperty(target, name, { ...common, value: opened.value, writable: true });
    return;
  }
  const { missing } = opened;
  const get = (): never => {
    throw new MissingValueError(missing);
  };
  Object.defineProperty(target, name, { ...common, get });
};

const openValue = (value: JsonValue, path: ClaimPath, context: OpenContext): Opened => {
  if (typeof value === 'string') return openString(value, path, context);
  if (isJsonObject(value)) return { value: openMembers(value, path, context) };
  if (typeof value !== 'object' || value === null) return { value };
  const items: JsonValue[] = [];
  const itemPath = [...path, elementStep];
  for (const [index, one] of value.entries()) {
    const item = `${context.item}[${index}]`;
    const result = openValue(one, itemPath, { ...context, item });
    if ('value' in result) items.push(result.value);
    else define(items, index, result);
  }
  return { value: items };
};

const openString = (
  text: string,
  path: ClaimPath,
  { options, item, claimByPseudonym }: OpenContext,
): Opened => {
  const isReserved = hasReservedCharacter(text);
  if (!text.startsWith(markStart) && !isReserved) return { value: text };
  const claim = claimText(path);
  if (isReserved || path.some(hasReservedCharacter)) return { missing: claim };
  if (text.startsWith(markStart + markStart)) return { value: text.slice(1) };
  const isPseudonym = pseudonymPattern.test(text);
  if (!isPseudonym && text !== claimMarks.string) return { missing: claim };
  const known = isPseudonym ? options.stringOf(text.slice(1)) : undefined;
  if (known !== undefined) return { value: known };
  // Equal pseudonyms are equal strings; without one, a string equals only itself.
  const ownName = `${claim}${item}`;
  if (isPseudonym && !claimByPseudonym.has(text)) claimByPseudonym.set(text, ownName);
  if (!options.treatsAlike(path)) return { missing: claim };
  const name = claimByPseudonym.get(text) ?? ownName;
  const identity = isPseudonym ? text : `${path.join('\0')}${item}`;
  return { value: `${placeholderStart}${name}\0${identity}${placeholderEnd}` };
};

/** Matches the characters of a claim's name that no message contains. */
const unprintableParts = new RegExp(`[\\0${placeholderStart}${placeholderEnd}]`, 'g');

/** The maximum length of the name of a claim in messages. */
const maxClaimText = 80;

/** Returns the name of a claim for messages; a log may contain any name. */
const claimText = (path: ClaimPath): string => {
  const text = path
    .filter((name) => name !== elementStep)
    .join('.')
    .replaceAll(unprintableParts, '?');
  return text.length > maxClaimText ? `${text.slice(0, maxClaimText)}…` : text;
};
