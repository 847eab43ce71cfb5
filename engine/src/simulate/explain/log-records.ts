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
  for (const line of pasted.slice(0, maxPastedText).split('\n')) {
    const text = withoutLinePrefix(line.endsWith('\r') ? line.slice(0, -1) : line);
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
  // journalctl -o short, short-precise and short-iso
  /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d) [\w.-]+ [\w.@/-]+(?:\[\d+\])?: /,
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
