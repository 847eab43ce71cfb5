/**
 * What looks like a token or a private key is shown to nobody, wherever it was given by mistake: as an
 * argument, as a file that is no configuration, as a value in one.
 */

/** Stands where something was left out. */
export const redacted = '[redacted]';

/** The text with whatever looks like a token or a key left out. */
export const redactSecrets = (text: string): string => text.replace(secretLike, redacted);

/** The same length as before, so that columns stay where they are. */
export const maskSecrets = (line: string): string =>
  line.replace(secretLike, (found) => '*'.repeat(found.length));

/** An argument for a message about it: nothing of what looks like a secret or is too long to be a mistake. */
export const redactArgument = (text: string): string =>
  text.length > longestShown || text.search(secretLike) !== -1 ? redacted : text;

const longestShown = 80;

/**
 * No line of such a text is shown: it starts as a token or a key does, or it is one plain or quoted
 * value, which may be any secret.
 */
export const isConfidential = (text: string): boolean => {
  const beginning = text.slice(0, inspectedLength).trimStart();
  if (/^(?:-----BEGIN|LS0tLS1CRUdJTi|e(?:yJ|yA|w[0ko])[\w-]{8,}\.)/.test(beginning)) return true;
  return /^(?:"[^"]*"|'[^']*'|[A-Za-z0-9_/+.=~-]{16,}(?:\s+[A-Za-z0-9_/+.=~-]+)*)\s*$/.test(
    beginning,
  );
};

/** Tokens and keys are shorter. */
const inspectedLength = 64 * 1024;

/**
 * Three parts of a token, or its head alone; PEM, also in base64. Repetitions are bounded, since a line
 * may be as long as the file, and the engine keeps a place for each character of an unbounded one.
 */
const secretLike =
  /(?<![\w-])e(?:yJ|yA|w[0ko])[\w.-]{8,65536}|(?<![\w-])[\w-]{16,65536}\.[\w-]{16,65536}\.[\w-]{16,65536}|LS0tLS1CRUdJTi[\w+/=]{0,65536}|-----BEGIN (?:[A-Z]{1,16} ){0,3}PRIVATE KEY-----[\s\S]{0,65536}/g;
