/** The API server reads the first YAML document of a file and silently ignores the others. */
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { span } from '../source/span.ts';

export const ignoredDocument = defineRule<Compilation, Record<never, never>>({
  code: 'AG4011',
  name: 'ignored-document',
  severity: 'warning',
  source: 'lint',
  summary: 'The file has more than one YAML document, and only the first is used.',
  message: () => 'the API server reads the first document only and ignores this one without a word',
  help: () => 'Move what it says into the first document, or remove it.',
  check({ document }, report) {
    const { root, source } = document;
    if (root === undefined) return;
    // After the end of the YAML tree, a line that starts with `---` can only be a document marker.
    const marker = /^---(?=\s|$)/gm;
    marker.lastIndex = root.span.end;
    const found = marker.exec(source.text);
    if (found === null || isBlank(source.text.slice(found.index + 3))) return;
    const edits = [{ span: span(found.index, source.text.length), newText: '' }];
    const fixes = [{ title: 'Remove what is ignored', edits, choice: true }] as const;
    report(span(found.index, found.index + 3), {}, { fixes });
  },
});

/** Reports whether the text has only white space, comments and document markers. */
const isBlank = (text: string): boolean =>
  text.split('\n').every((line) => /^(?:---|\.\.\.)?\s*(?:#.*)?$/.test(line));
