/**
 * Characters that must not be written to a terminal, a log line or a CI annotation unescaped.
 * Configuration files, tokens and issuers contain untrusted text: control characters can repaint a
 * terminal, line and paragraph separators can forge a log line, and bidirectional controls can
 * reorder what is displayed.
 */

/**
 * C0 and C1 controls, DEL, U+061C and the other bidirectional controls, U+2028, U+2029, zero-width
 * format characters other than joiners, and lone surrogates. A `g` regular expression is stateful:
 * use it with `replace` and `search` only.
 */
export const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/** Replaces every unprintable character with its `\uXXXX` escape, which is also valid inside a JSON string. */
export const escapeUnprintable = (text: string): string => text.replace(unprintable, unicodeEscape);

/** Escapes one line of serialized JSON; its line end, the only control character outside of strings, remains. */
export const escapeJsonLine = (line: string): string =>
  beyondAscii.test(line)
    ? line.replace(unprintable, (found) => (found === '\n' ? '\n' : unicodeEscape(found)))
    : line;

/** Printable ASCII needs no escape, and nearly every line of a log consists of it. */
const beyondAscii = /[^ -~\n]/;

/**
 * Escapes a string of several lines. Tabs and line ends remain, or whatever `retained` matches
 * instead: a regular expression that is one capture group.
 */
export const escapeText = (text: string, retained: RegExp = layout): string =>
  beyondAscii.test(text)
    ? text
        .split(retained)
        .map((part, index) => (index % 2 === 0 ? escapeUnprintable(part) : part))
        .join('')
    : text;

const layout = /(\t|\r?\n)/;

/** Returns `\u202e` and the like: one escape for each UTF-16 code unit. */
export const unicodeEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('');
