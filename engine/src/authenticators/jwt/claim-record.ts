/**
 * The claims of a token in the decision log: names, types and sizes, and only those values that are
 * allowed. Every other value is replaced by a mark that starts with `~`, which shows what was
 * there and that it is missing.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../formats/json-with-shape.ts';
import type { Decision } from '../../model/decision.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { TokenPayload } from '../../signed-token/payload.ts';
import { redactSecrets } from '../../source/redact-secrets.ts';
import type { JwtNode } from './node.ts';

/** What the decision log contains of claims. */
export interface ClaimRecordOptions {
  /** The claims whose values are logged, with everything in them. */
  readonly values: ReadonlySet<string>;
  /** Returns the pseudonym of a string; absent if strings have none. */
  readonly pseudonym: ((text: string) => string) | undefined;
}

/** The members of a log line that describe the claims of a token. */
export type ClaimRecord =
  | {
      readonly claims: JsonObject;
      /** Identifies the key of the pseudonyms, if there are any. */
      readonly claimsKey?: string;
    }
  | { readonly claimsOmitted: OmissionReason };

/**
 * Why the claims of a token are not logged: they are too large, or a decoder reads them in more than
 * one way or a name looks like a token or a key.
 */
type OmissionReason = 'size' | 'form';

/**
 * The marks of values that are not logged. Nothing is known about an opaque string; of every other
 * string it is known that no string of the configuration equals it.
 */
export const claimMarks = {
  string: '~string',
  opaque: '~opaque',
  number: '~number',
  list: '~list',
  object: '~object',
} as const;

/** The text whose pseudonym identifies a key. */
export const keyProbe = 'authgraph:pseudonyms';

/** Matches the pseudonym of a string, which takes the place of its value. */
export const pseudonymPattern = /^~[0-9a-f]{24}$/;

/** Starts every mark. A logged value that starts with it has it twice. */
export const markStart = '~';

/** The maximum number of characters of the claims of one line. */
const maxClaimRecordLength = 32 * 1024;

/** The maximum depth of logged claims, and the maximum length of a name and of a value. */
export const maxClaimRecordDepth = 16;
const maxNameLength = 256;
const maxValueLength = 1024;

/** Claims that identify a token, a session or a secret; their values are never logged. */
const tokenClaims: ReadonlySet<string> = new Set([
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'sid',
  'rt_hash',
  'cnf',
  'uti',
  'origin_jti',
  '_claim_sources',
]);

/** Claims with times, which a replay needs. */
const timeClaims: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat']);

/** The start of the names of Kubernetes itself; such strings are logged. */
export const systemStart = 'system:';

/** The characters around a value that is unknown to a replay; no logged string contains them. */
export const placeholderStart = '\uE000';
export const placeholderEnd = '\uE001';

export const hasReservedCharacter = (text: string): boolean =>
  text.includes(placeholderStart) || text.includes(placeholderEnd);

/** Checks whether a string may be logged if it is allowed, as a value or as a name. */
const isLoggable = (text: string): boolean =>
  text.length <= maxValueLength &&
  text.isWellFormed() &&
  !hasReservedCharacter(text) &&
  redactSecrets(text) === text;

/** Returns the claims for a log line, with the strings that the graph and the line contain anyway. */
export const claimRecord = (
  payload: TokenPayload,
  {
    decision,
    literals,
    options,
  }: {
    readonly decision: Decision;
    /** The strings of the configuration, see `literalsOf`. */
    readonly literals: ReadonlySet<string>;
    readonly options: ClaimRecordOptions;
  },
): ClaimRecord => {
  const isOrdinary = payload.standard.kind === 'claims' && payload.misCased === undefined;
  if (!isOrdinary || payload.isRepaired) return { claimsOmitted: 'form' };
  const shown = decision.kind === 'accepted' ? shownStrings(decision.user, literals) : noStrings;
  const writer = new ClaimWriter({
    options,
    isPublic: (text) => literals.has(text) || shown.has(text) || text.startsWith(systemStart),
  });
  try {
    const claims = writer.claims(payload.claims);
    const { pseudonym } = options;
    return pseudonym === undefined ? { claims } : { claims, claimsKey: pseudonym(keyProbe) };
  } catch (cause) {
    if (!(cause instanceof OmittedClaimsError)) throw cause;
    return { claimsOmitted: cause.reason };
  }
};

/** Returns every string with which authenticators can compare claims: a log line contains equal ones. */
export const literalsOf = (nodes: readonly JwtNode[]): ReadonlySet<string> => {
  const literals = new Set(['']);
  for (const node of nodes) collectLiterals(node, literals);
  return literals;
};

const collectLiterals = (node: JwtNode, literals: Set<string>): void => {
  literals.add(node.issuerUrl);
  for (const audience of node.audiences) literals.add(audience);
  for (const rule of node.claimValidationRules) {
    if (rule.kind === 'claim') literals.add(rule.requiredValue);
    else collectConstants(rule.expression.code, literals);
  }
  for (const mapping of [node.username, node.groups, node.uid]) {
    if (mapping?.kind === 'expression') collectConstants(mapping.expression.code, literals);
  }
  for (const mapping of [node.username, node.groups]) {
    if (mapping?.kind === 'claim') literals.add(mapping.prefix);
  }
  for (const { expression } of [...node.extra, ...node.userValidationRules]) {
    collectConstants(expression.code, literals);
  }
};

/** Collects the constants of a serialized expression. */
const collectConstants = (code: unknown, literals: Set<string>): void => {
  if (!Array.isArray(code)) return;
  const [kind, , type, value]: unknown[] = code;
  if (kind === 'c' && type === 'string') literals.add(String(value));
  for (const part of code) collectConstants(part, literals);
};

/**
 * Returns the strings that the line contains as the identity: the username and the UID, each also
 * without a string of the configuration that it starts with.
 */
export const shownStrings = (
  { username, uid }: Pick<UserInfo, 'username' | 'uid'>,
  literals: ReadonlySet<string>,
): ReadonlySet<string> => {
  const shown = new Set<string>();
  for (const text of [username, uid]) {
    for (const literal of literals)
      if (text.startsWith(literal)) shown.add(text.slice(literal.length));
  }
  return shown;
};

const noStrings: ReadonlySet<string> = new Set();

/** Thrown if claims cannot be logged. */
class OmittedClaimsError extends Error {
  readonly reason: OmissionReason;

  constructor(reason: OmissionReason) {
    super();
    this.reason = reason;
  }
}

interface WriterOptions {
  readonly options: ClaimRecordOptions;
  isPublic(text: string): boolean;
}

class ClaimWriter {
  readonly #options: ClaimRecordOptions;
  readonly #isPublic: WriterOptions['isPublic'];
  #remaining = maxClaimRecordLength;

  constructor({ options, isPublic }: WriterOptions) {
    this.#options = options;
    this.#isPublic = isPublic;
  }

  claims(claims: JsonObject): JsonObject {
    return this.#members(claims, (name, value) => {
      if (tokenClaims.has(name)) return this.#spend(markOf(value));
      if (timeClaims.has(name) && typeof value === 'number') return this.#spend(value);
      return this.#value(value, this.#options.values.has(name), 1);
    });
  }

  #members(record: JsonObject, write: (name: string, value: JsonValue) => JsonValue): JsonObject {
    // `fromEntries` creates own members whatever the name, `__proto__` included.
    return Object.fromEntries(
      Object.entries(record).map(([name, value]) => {
        if (name.length > maxNameLength) throw new OmittedClaimsError('size');
        if (!isLoggable(name)) throw new OmittedClaimsError('form');
        this.#spend(name);
        return [name, write(name, value)];
      }),
    );
  }

  #value(value: JsonValue, isNamed: boolean, depth: number): JsonValue {
    if (depth > maxClaimRecordDepth) throw new OmittedClaimsError('size');
    if (typeof value === 'string') return this.#spend(this.#string(value, isNamed));
    if (typeof value === 'number') {
      return this.#spend(isNamed && Number.isSafeInteger(value) ? value : claimMarks.number);
    }
    if (value === null || typeof value === 'boolean') return this.#spend(value);
    this.#spend('');
    if (isJsonObject(value)) {
      return this.#members(value, (_, member) => this.#value(member, isNamed, depth + 1));
    }
    const items: JsonValue[] = [];
    for (const item of value) items.push(this.#value(item, isNamed, depth + 1));
    return items;
  }

  #string(text: string, isNamed: boolean): string {
    if (!isLoggable(text)) return claimMarks.opaque;
    if (isNamed || this.#isPublic(text))
      return text.startsWith(markStart) ? markStart + text : text;
    const { pseudonym } = this.#options;
    return pseudonym === undefined ? claimMarks.string : markStart + pseudonym(text);
  }

  /** Counts the characters of a value and its separators. */
  #spend<Value extends null | boolean | number | string>(value: Value): Value {
    this.#remaining -= typeof value === 'string' ? value.length + 3 : 8;
    if (this.#remaining < 0) throw new OmittedClaimsError('size');
    return value;
  }
}

const markOf = (value: JsonValue): null | boolean | string => {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return claimMarks.opaque;
  if (typeof value === 'number') return claimMarks.number;
  return Array.isArray(value) ? claimMarks.list : claimMarks.object;
};
