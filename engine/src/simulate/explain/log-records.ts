/**
 * Splits pasted text into log records: removes what container runtimes, journald and kubectl put
 * before each line, joins the lines of one message, and omits code frames.
 */

/** The longest text that is read; the rest is ignored. */
const maxPastedText = 262_144;

/**
 * Returns the records in order. The first line always starts a record; another one does unless it
 * is indented or continues the errors of an expression.
 */
export const logRecords = (pasted: string): readonly string[] => {
  const records: string[] = [];
  let isInsideBlock = false;
  let isInsideFrame = false;
  let unknownPrefix = '';
  for (const line of withoutColor(pasted.slice(0, maxPastedText)).split('\n')) {
    const known = withoutLinePrefix(line.endsWith('\r') ? line.slice(0, -1) : line);
    // The lines of a record have the prefix of its first line.
    unknownPrefix = klogHeader.test(known) ? prefixOf(known) : unknownPrefix;
    const text = known.startsWith(unknownPrefix) ? known.slice(unknownPrefix.length) : known;
    // The lines of the file below a diagnostic of AuthGraph are not part of its message.
    isInsideFrame = diagnosticStart.test(text) || (isInsideFrame && frameLine.test(text));
    if (isInsideFrame && !diagnosticStart.test(text)) continue;
    const isPart = isInsideBlock || continuation.test(text);
    const last = records.length - 1;
    if (isPart && last >= 0) records[last] += `\n${text}`;
    else if (text.trim() !== '') records.push(text);
    // klog writes long values between `=<` and ` >`.
    isInsideBlock = isInsideBlock ? text !== ' >' : text.endsWith('=<');
  }
  return records;
};

const withoutColor = (text: string): string => text.replaceAll(/\u001b\[[\d;]{0,16}m/g, '');

const klogHeader = /[IWEF]\d{4} \d\d:\d\d:\d\d\.\d/;

/** Returns what an unknown program put before the header of klog; empty if the header is quoted. */
const prefixOf = (line: string): string => {
  const prefix = line.slice(0, line.search(klogHeader));
  return prefix.length <= maxPrefixLength && /^[^"'{]*[\s|>\]]$/.test(prefix) ? prefix : '';
};

const maxPrefixLength = 256;

/** A line of a message that the line before did not end. */
const continuation = /^(?:[\t ]|ERROR: <input>|\{APIGroups:|\{NonResourceURLs:| ?>$|\* )/;

const diagnosticStart = /^(?:error|warning|information|hint)\[AG\d{4}\]/;
const frameLine = /^(?:\s|\d+ \|)/;

/** Removes prefixes until the text is what the server wrote. */
const withoutLinePrefix = (line: string): string => {
  let text = line;
  for (const prefix of linePrefixes) text = text.replace(prefix, '');
  return dockerLine(text) ?? text;
};

/** Prefixes of one line, from the outermost to the innermost. */
const linePrefixes: readonly RegExp[] = [
  // kubectl logs --prefix
  /^\[pod\/[\w./-]+\] /,
  // docker compose logs
  /^[A-Za-z][\w.-]* +\| /,
  // The priority of syslog, with the version of RFC 5424
  /^<\d{1,3}>(?:1 (?=\d{4}-))?/,
  // RFC 5424 without structured data
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d) [\w.-]+ [\w.@/-]+ (?:\d+|-) [\w-]+ - /,
  // journalctl -o short, short-precise, short-iso, short-full, short-monotonic and short-unix
  /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d|[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [\w+:-]{1,6}|\[ *\d+\.\d+\]|\d{9,11}\.\d{6}) [\w.-]+ [\w.@/-]+(?:\[\d+\])?: /,
  // The CRI log format, and kubectl logs --timestamps
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d) (?:std(?:out|err) [FP] )?/,
];

/** Returns the text of a line of Docker's `json-file` driver. */
const dockerLine = (text: string): string | undefined => {
  if (!text.startsWith('{"log":')) return undefined;
  try {
    const { log }: { readonly log?: unknown } = JSON.parse(text);
    return typeof log === 'string' ? log.replace(/\n$/, '') : undefined;
  } catch {
    return undefined;
  }
};
