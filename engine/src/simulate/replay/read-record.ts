/** Reads the decisions about JWTs in a line of a decision log. */
import { hasReservedCharacter } from '../../authenticators/jwt/claim-record.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  readJsonWithShape,
} from '../../formats/json-with-shape.ts';
import type { UserInfo } from '../../model/user-info.ts';

/** A recorded decision about a JWT. */
export interface RecordedDecision {
  /** When the token was validated, in milliseconds since 1970. */
  readonly time: number;
  /** The hash of the graph that decided. */
  readonly graph: string;
  readonly outcome: RecordedOutcome;
  /** The claims; absent if the line has none. */
  readonly claims: JsonObject | undefined;
  /** Identifies the key of the pseudonyms. */
  readonly claimsKey: string | undefined;
  /** Why the claims are missing: `size` or `form`. */
  readonly omitted: string | undefined;
}

export type RecordedOutcome =
  | {
      readonly kind: 'accepted';
      readonly username: string;
      readonly uid: string;
      readonly groups: readonly string[] | undefined;
      readonly extra: UserInfo['extra'] | undefined;
    }
  | { readonly kind: 'rejected'; readonly code: string; readonly at: string };

/** What a line contains. */
export type LineReading =
  | {
      readonly kind: 'decisions';
      readonly decisions: readonly RecordedDecision[];
      /** The number of decisions that no JWT authenticator made. */
      readonly skipped: number;
    }
  /** A JSON object that is not a line of a decision log. */
  | { readonly kind: 'other'; readonly value: JsonObject }
  | { readonly kind: 'malformed' };

/** Reads a line; decisions that no JWT authenticator made are only counted. */
export const readDecisionLine = (line: Uint8Array): LineReading => {
  const value = readJsonWithShape(line)?.value;
  if (!isJsonObject(value)) return { kind: 'malformed' };
  if (ownMember(value, 'message') !== 'decision' || !isText(ownMember(value, 'requestId'))) {
    return { kind: 'other', value };
  }
  const shared = sharedFields(value);
  if (shared === undefined) return { kind: 'malformed' };
  const decisions: RecordedDecision[] = [];
  let skipped = 0;
  for (const part of [value, ownMember(value, 'reviewed')]) {
    if (!isJsonObject(part)) continue;
    if (ownMember(part, 'module') !== 'jwt') {
      skipped++;
      continue;
    }
    const outcome = readOutcome(part);
    const claims = ownMember(part, 'claims');
    if (outcome === undefined || (claims !== undefined && !isJsonObject(claims))) {
      return { kind: 'malformed' };
    }
    decisions.push({
      ...shared,
      outcome,
      claims,
      claimsKey: textOf(ownMember(part, 'claimsKey')),
      omitted: textOf(ownMember(part, 'claimsOmitted')),
    });
  }
  return { kind: 'decisions', decisions, skipped };
};

const sharedFields = (value: JsonObject): Pick<RecordedDecision, 'time' | 'graph'> | undefined => {
  const written = Date.parse(textOf(ownMember(value, 'time')) ?? '');
  const graph = textOf(ownMember(value, 'graph'));
  const latency = ownMember(value, 'latencyMs');
  if (!Number.isFinite(written) || graph === undefined) return undefined;
  return { time: written - (typeof latency === 'number' ? latency : 0), graph };
};

const readOutcome = (part: JsonObject): RecordedOutcome | undefined => {
  const kind = ownMember(part, 'decision');
  if (kind === 'rejected') {
    const [code = '', at = ''] = ['code', 'at'].map((name) =>
      textOf(ownMember(part, name))?.slice(0, maxPlaceLength),
    );
    return { kind, code, at };
  }
  const username = textOf(ownMember(part, 'username'));
  if (kind !== 'accepted' || username === undefined) return undefined;
  const groups = ownMember(part, 'groups');
  const extra = ownMember(part, 'extra');
  if (groups !== undefined && !isTexts(groups)) return undefined;
  const identity = [username, ...(groups ?? []), textOf(ownMember(part, 'uid')) ?? ''];
  // A replay marks values that it does not know with these characters.
  if (identity.some(hasReservedCharacter)) return undefined;
  const pairs = extra === undefined ? undefined : readPairs(extra);
  if (extra !== undefined && pairs === undefined) return undefined;
  return { kind, username, uid: textOf(ownMember(part, 'uid')) ?? '', groups, extra: pairs };
};

const readPairs = (value: JsonValue): UserInfo['extra'] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const extra = new Map<string, readonly string[]>();
  for (const pair of value) {
    if (!Array.isArray(pair)) return undefined;
    const [key, values] = pair;
    if (!isText(key) || !isTexts(values) || values.some(hasReservedCharacter)) return undefined;
    extra.set(key, values);
  }
  return extra;
};

/** The maximum length of a code or a field; a log may contain any text. */
const maxPlaceLength = 256;

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string';

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const isTexts = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
