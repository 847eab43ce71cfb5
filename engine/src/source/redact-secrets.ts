/**
 * Prevents that tokens and private keys are shown when they are passed by mistake: as an argument,
 * as a file that is not a configuration, or as a value in one.
 */

/** The replacement of a secret. */
export const redacted = '[redacted]';

/** Replaces everything that looks like a token or a key. */
export const redactSecrets = (text: string): string => text.replace(secretLike, redacted);

/** Masks secrets without changing the length, so that columns remain valid. */
export const maskSecrets = (line: string): string =>
  line.replace(secretLike, (found) => '*'.repeat(found.length));

/**
 * Prepares an argument for an error message: an argument that looks like a secret, or is too long
 * to be a typing error, is redacted.
 */
export const redactArgument = (text: string): string =>
  text.length > longestShown || text.search(secretLike) !== -1 ? redacted : text;

const longestShown = 80;

/**
 * Checks whether no line of a string may be shown: it starts like a token or a key, or it is a
 * single plain or quoted value, which may be any secret.
 */
export const isConfidential = (text: string): boolean => {
  const beginning = text.slice(0, inspectedLength).trimStart();
  if (/^(?:-----BEGIN|LS0tLS1CRUdJTi|e(?:yJ|yA|w[0ko])[\w-]{8,}\.)/.test(beginning)) return true;
  return /^(?:"[^"]*"|'[^']*'|[A-Za-z0-9_/+.=~-]{16,}(?:\s+[A-Za-z0-9_/+.=~-]+)*)\s*$/.test(
    beginning,
  );
};

/** The number of characters to inspect; tokens and keys are shorter. */
const inspectedLength = 64 * 1024;

/**
 * Matches three parts of a token or its header alone, and PEM, also encoded as base64. Repetitions
 * are bounded, because a line may be as long as the file, and the engine stores a backtracking
 * position for each character of an unbounded one.
 */
const secretLike =
  /(?<![\w-])e(?:yJ|yA|w[0ko])[\w.-]{8,65536}|(?<![\w-])[\w-]{16,65536}\.[\w-]{16,65536}\.[\w-]{16,65536}|LS0tLS1CRUdJTi[\w+/=]{0,65536}|-----BEGIN (?:[A-Z]{1,16} ){0,3}PRIVATE KEY-----[\s\S]{0,65536}/g;
