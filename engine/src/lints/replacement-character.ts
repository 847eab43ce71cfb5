/**
 * Finds U+FFFD in a file: the API server silently reads invalid bytes of JSON as this character, so
 * that two different names can become equal; in YAML another program has already replaced the
 * bytes.
 */
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { span } from '../source/span.ts';

export const replacementCharacter = defineRule<Compilation, Record<never, never>>({
  code: 'AG4020',
  name: 'replacement-character',
  severity: 'warning',
  source: 'lint',
  summary: 'The file contains the replacement character U+FFFD.',
  message: () =>
    'U+FFFD stands here for a character that could not be read: the value is not what was meant',
  help: () => 'Write the character again, and save the file as UTF-8.',
  check({ document: { source } }, report) {
    // Only the first one is reported: a file in a wrong encoding has many.
    const at = source.text.indexOf('\ufffd');
    if (at !== -1) report(span(at, at + 1), {});
  },
});
