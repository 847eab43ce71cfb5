/**
 * Extracts the messages from a log line of kube-apiserver, of a program that contains it, or of
 * AuthGraph. It understands the text form (`E1121 … authentication.go:75] "…" err="…"`, also without
 * its beginning), `level=… msg="…"`, the JSON form, lines inside the JSON of a log collector, quotes,
 * what programs print before an error (`error: `), and lists of errors (`[a, b]`).
 */
import { readGoString } from './go-string.ts';

/** The longest text that is read; a longer log line is cut. */
const maxLogLine = 262_144;

/** Reports whether a message begins with `text`, which follows `before` in a list. */
export type StartsMessage = (text: string, before?: string) => boolean;

/**
 * Returns the error texts in the line, with the outermost list split; the line itself if there is
 * nothing to split.
 */
export const messagesOf = (line: string, startsMessage: StartsMessage): readonly string[] => {
  const text = withoutQuotes(line.slice(0, maxLogLine).trim());
  const body = errorOf(text) ?? text;
  return (
    splitList(body, startsMessage)
      // A message may end with a space if a rule has no message of its own.
      .map((message) => withoutStrayBracket(message.trimStart()))
      .filter((message) => message.trim() !== '')
  );
};

/**
 * Returns texts that may be messages behind a prefix of an unknown program: the rest of the text from
 * each place where a message or a known prefix starts.
 */
export const messagesBehindPrefix = (
  text: string,
  startsMessage: StartsMessage,
): readonly string[] => {
  const found: string[] = [];
  for (const { index } of text.slice(0, maxPrefixLength).matchAll(wordStart)) {
    const rest = text.slice(index);
    const isStart =
      startsMessage(rest.slice(0, headLength)) ||
      wrapper.test(rest) ||
      // A shorter text, such as `context canceled`, may be about anything.
      (prefixEnd.test(text.slice(0, index).slice(-2)) && fourWords.test(rest));
    if (index === 0 || !isStart) continue;
    found.push(untilQuote(text, index));
    if (found.length === maxCandidates) break;
  }
  return found;
};

const prefixEnd = /[:>|\]] $|["'`“‘]$/;
const fourWords = /^(?:\S+\s+){3}\S/;

/** The longest prefix of an unknown program. */
const maxPrefixLength = 512;
const maxCandidates = 8;
/** The start of a word behind a space, a quote or a bracket. */
const wordStart = /(?<=[\s"'`“‘([>|=])[\w[-]/g;

/** Returns the text from `start`, without the rest of a quoted string that starts there. */
const untilQuote = (text: string, start: number): string => {
  const before = text[start - 1] ?? '';
  if (before === '"') return readGoString(text.slice(start - 1))?.value ?? '';
  const closing = quotes.get(before);
  const end = closing === undefined ? -1 : text.lastIndexOf(closing);
  return text.slice(start, end > start ? end : undefined);
};

/** Quotes in which messages are written, with the quote at the end. */
const quotes: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
]);

/** Removes the quotes around the whole text. */
const withoutQuotes = (text: string): string => {
  const read = readGoString(text);
  if (read !== undefined) return read.length === text.length ? read.value : text;
  const end = quotes.get(text[0] ?? '');
  return end !== undefined && text.length > 1 && text.endsWith(end) ? text.slice(1, -1) : text;
};

/** Returns the value of `err` in a structured line, or the message of an unstructured one. */
const errorOf = (text: string, depth = 0): string | undefined => {
  const json = jsonError(text, depth);
  if (json !== undefined) return json;
  const header = wholeHeader.exec(text) ?? endOfHeader.exec(text);
  const body = header === null ? text : text.slice(header.index + header[0].length);
  const value = quotedField(body, 'err') ?? quotedField(body, 'error');
  if (value !== undefined) return value;
  // The form of logrus, in which k3s and RKE2 log the error that ended kube-apiserver.
  if (levelField.test(body)) return quotedField(body, 'msg');
  if (header === null) return undefined;
  const head = leadingQuoted(body);
  return head ?? body;
};

const wholeHeader = /(?:^|[\s|>\]])[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [^\s\]]+\] ?/;
/** The rest of a klog header in a line that was not copied from its beginning. */
const endOfHeader = /^(?:[\d:.]+\s+)*[\w./-]+\.go:\d+\] ?/;
const levelField = /(?:^|\s)level=[a-z]/;

const jsonError = (text: string, depth: number): string | undefined => {
  const start = text.indexOf('{');
  if (start === -1) return undefined;
  let data: unknown;
  try {
    data = text.endsWith('}') ? JSON.parse(text.slice(start)) : undefined;
  } catch {
    data = undefined;
  }
  if (typeof data !== 'object' || data === null) return cutJsonError(text.slice(start));
  const fields = new Map<string, unknown>(Object.entries(data));
  const status = fields.get('message');
  // The reason of a Status is one word.
  if (fields.get('kind') === 'Status' && typeof status === 'string' && status !== '') return status;
  for (const name of errorFields) {
    const value = fields.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  for (const name of lineFields) {
    const value = fields.get(name);
    if (typeof value !== 'string' || value === '') continue;
    const line = value.trimEnd();
    return (depth < maxJsonDepth ? errorOf(line, depth + 1) : undefined) ?? line;
  }
  return undefined;
};

const errorFields = ['err', 'error', 'reason'];
/** Fields that contain a message, or a whole line in the JSON of a log collector. */
const lineFields = ['msg', 'message', 'MESSAGE', 'log'];
/** The number of log collectors whose JSON contains that of another one. */
const maxJsonDepth = 3;

/** Returns the error of a JSON line that was not copied completely. */
const cutJsonError = (text: string): string | undefined => {
  if (!text.startsWith('{"')) return undefined;
  const field = /"err(?:or)?": ?(?=")/.exec(text);
  return field === null ? undefined : leadingQuoted(text.slice(field.index + field[0].length));
};

/** Reads `name="…"` with Go's escapes, or `name=word`. */
const quotedField = (text: string, name: string): string | undefined => {
  const at = new RegExp(`(?:^|\\s)${name}=`).exec(text);
  if (at === null) return undefined;
  const rest = text.slice(at.index + at[0].length);
  // Long values are printed on several lines between `<` and `>`, each line indented by a tab.
  if (rest.startsWith('<\n')) {
    const end = rest.indexOf('\n >');
    return rest.slice(2, end === -1 ? undefined : end).replaceAll(/^\t/gm, '');
  }
  return leadingQuoted(rest) ?? /^\S+/.exec(rest)?.[0];
};

const leadingQuoted = (text: string): string | undefined => readGoString(text)?.value;

/**
 * What precedes an error: the prefix of a program or of `whoami`, the code of a diagnostic, of kubectl
 * for an API error, of k3s for the end of its kube-apiserver, of a request in older releases, and of a
 * start or reload for an error of the configuration.
 */
const wrapper =
  /^(?:[Ee]rror: |(?:error|warning|information|hint)\[AG\d{4}\]:? |Error from server(?: \([A-Za-z]+\))?: |failed to create token: |(?:kube-)?apiserver (?:exited|panic): |[Uu]nable to authenticate the request(?: due to an error)?: |rejected(?: by \S+)?: |failed to load authentication configuration from file "(?:[^"\\]|\\.)*": |invalid authentication configuration: )/s;

/** The largest number of prefixes of one error. */
const maxWrappers = 4;

const withoutWrappers = (wrapped: string): string => {
  let text = wrapped;
  for (let count = 0; count < maxWrappers; count += 1)
    text = withoutQuotes(text.replace(wrapper, ''));
  return text;
};

/** The caret under an expression, with which a line of a list of errors may begin. */
const caret = /^\|? ?\.*\^(?:, |\]$)/;

/**
 * Splits `[a, b]` into a and b, also if the line has only its beginning or its end. Messages contain
 * commas themselves, so the list is split only where a known message starts.
 */
const splitList = (listed: string, startsMessage: StartsMessage, depth = 0): readonly string[] => {
  const text = withoutWrappers(listed);
  const begins = text.startsWith('[');
  const ends = text.endsWith(']') && (begins || count(text, ']') > count(text, '['));
  if (depth > maxListDepth || !(begins || ends || caret.test(text))) return [text];
  const inner = text.slice(begins ? 1 : 0, ends ? -1 : undefined);
  const parts: string[] = [];
  let from = 0;
  for (let at = inner.indexOf(', '); at !== -1; at = inner.indexOf(', ', at + 2)) {
    const before = at - from > headLength * 4 ? '' : inner.slice(from, at);
    if (!startsMessage(inner.slice(at + 2, at + 2 + headLength), before)) continue;
    parts.push(inner.slice(from, at));
    from = at + 2;
  }
  parts.push(inner.slice(from));
  return parts.flatMap((part) => splitList(part, startsMessage, depth + 1));
};

/** Removes the brackets that a nested list left on its first and last message. */
const withoutStrayBracket = (message: string): string => {
  const opened = count(message, '[');
  const closed = count(message, ']');
  if (message.startsWith('[') && opened > closed) return message.slice(1);
  if (message.endsWith(']') && closed > opened) return message.slice(0, -1);
  return message;
};

const count = (text: string, bracket: string): number => text.split(bracket).length - 1;

/** The deepest nesting of lists that is split; kube-apiserver nests two. */
const maxListDepth = 4;
/** The length of the text needed to recognize the start of a message. */
const headLength = 64;
