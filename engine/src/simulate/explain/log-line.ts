/**
 * Extracts the messages from a log line of kube-apiserver or AuthGraph. It understands the text form
 * (`E1121 … authentication.go:75] "…" err="…"`, also without its beginning), the JSON form, time
 * stamps added by a container runtime, what programs print before an error (`error: `), and lists of
 * errors (`[a, b]`).
 */

/** The longest text that is read; a longer log line is cut. */
const maxLogLine = 262_144;

/** Reports whether a message begins with `text`, which follows `before` in a list. */
export type StartsMessage = (text: string, before?: string) => boolean;

/**
 * Returns the error texts in the line, with the outermost list split; the line itself if there is
 * nothing to split.
 */
export const messagesOf = (line: string, startsMessage: StartsMessage): readonly string[] => {
  const text = line.slice(0, maxLogLine).trim();
  const body = errorOf(text) ?? text;
  return (
    splitList(body, startsMessage)
      // A message may end with a space if a rule has no message of its own.
      .map((message) => withoutStrayBracket(message.trimStart()))
      .filter((message) => message.trim() !== '')
  );
};

/** Returns the value of `err` in a structured line, or the message of an unstructured one. */
const errorOf = (text: string): string | undefined => {
  const json = jsonError(text);
  if (json !== undefined) return json;
  const header = wholeHeader.exec(text) ?? endOfHeader.exec(text);
  const body = header === null ? text : text.slice(header.index + header[0].length);
  const value = quotedField(body, 'err') ?? quotedField(body, 'error');
  if (value !== undefined) return value;
  if (header === null) return undefined;
  const head = leadingQuoted(body);
  return head ?? body;
};

const wholeHeader = /(?:^|\s)[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [^\s\]]+\] ?/;
/** The rest of a klog header in a line that was not copied from its beginning. */
const endOfHeader = /^(?:[\d:.]+\s+)*[\w./-]+\.go:\d+\] ?/;

const jsonError = (text: string): string | undefined => {
  const start = text.indexOf('{');
  if (start === -1 || !text.endsWith('}')) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(text.slice(start));
  } catch {
    return undefined;
  }
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(data));
  const status = fields.get('message');
  // The reason of a Status is one word.
  if (fields.get('kind') === 'Status' && typeof status === 'string' && status !== '') return status;
  for (const name of ['err', 'error', 'reason', 'msg', 'message']) {
    const value = fields.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
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

const leadingQuoted = (text: string): string | undefined => {
  // The end of a line that was not copied completely is part of the value.
  const quoted = /^"((?:[^"\\]|\\.)*)(?:"|\\?$)/s.exec(text)?.[1];
  return quoted === undefined ? undefined : unescapeGo(quoted);
};

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

const unescapeGo = (text: string): string =>
  text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gs,
    (whole, x?: string, u?: string, long?: string, octal?: string, single?: string) => {
      const hex = x ?? u ?? long;
      if (hex !== undefined) {
        const code = Number.parseInt(hex, 16);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
      }
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return shortEscapes.get(single ?? '') ?? single ?? '';
    },
  );

/**
 * What precedes an error: the prefix of a program or of `whoami`, the code of a diagnostic, of kubectl for an API error, and of a start or
 * reload for an error of the configuration.
 */
const wrapper =
  /^(?:[Ee]rror: |(?:error|warning|information|hint)\[AG\d{4}\]:? |Error from server(?: \([A-Za-z]+\))?: |failed to create token: |rejected(?: by \S+)?: |failed to load authentication configuration from file "(?:[^"\\]|\\.)*": |invalid authentication configuration: )/s;

/** The largest number of prefixes of one error. */
const maxWrappers = 4;

const withoutWrappers = (wrapped: string): string => {
  let text = wrapped;
  for (let count = 0; count < maxWrappers; count += 1) text = text.replace(wrapper, '');
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
