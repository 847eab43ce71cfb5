/** The API server reads the first YAML document of a file and silently ignores the others. */
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

export const ignoredDocument = defineLint({
  code: 'AG4011',
  name: 'ignored-document',
  summary: 'The file has more than one YAML document, and only the first is used.',
  message: () => 'kube-apiserver reads only the first document and silently ignores this one',
  help: () => 'Move its content into the first document, or remove it.',
  check({ document }, report) {
    const { root, source } = document;
    if (root === undefined) return;
    // After the end of the YAML tree, a line that starts with `---` can only be a document marker.
    const marker = /^---(?=\s|$)/gm;
    marker.lastIndex = root.span.end;
    const found = marker.exec(source.text);
    if (found === null || isBlank(source.text.slice(found.index + 3))) return;
    const edits = [{ span: span(found.index, source.text.length), newText: '' }];
    const fixes = [{ title: 'Remove the ignored document', edits, choice: true }] as const;
    report(span(found.index, found.index + 3), {}, { fixes });
  },
});

/** Reports whether the text has only white space, comments and document markers. */
const isBlank = (text: string): boolean =>
  text.split('\n').every((line) => /^(?:---|\.\.\.)?\s*(?:#.*)?$/.test(line));
