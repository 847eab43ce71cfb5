/**
 * Finds U+FFFD in a file: the API server silently reads invalid bytes of JSON as this character, so
 * that two different names can become equal; in YAML another program has already replaced the
 * bytes.
 */
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

export const replacementCharacter = defineLint({
  code: 'AG4020',
  name: 'replacement-character',
  summary: 'The file contains the replacement character U+FFFD.',
  message: () =>
    'U+FFFD replaces a character that could not be decoded: the value is not the intended one',
  help: () => 'Enter the character again, and save the file as UTF-8.',
  check({ document: { source } }, report) {
    // Only the first one is reported: a file in a wrong encoding has many.
    const at = source.text.indexOf('\ufffd');
    if (at !== -1) report(span(at, at + 1), {});
  },
});
