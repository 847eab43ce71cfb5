/**
 * The comment with which `authgraph new` marks an example value is still in the file: kube-apiserver
 * loads the example like any other value.
 */
import { fieldPathOf } from '../compile/field-paths.ts';
import { changeMark } from '../providers/change-mark.ts';
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

export const leftExampleValue = defineLint<{ readonly setting: string }>({
  code: 'AG4041',
  name: 'left-example-value',
  summary: 'A line still has the comment with which authgraph new marks an example value.',
  message: ({ setting }) =>
    `the comment marks an example value that must be replaced${setting === '' ? '' : `: ${setting}`}`,
  help: () => 'Replace the value with your own, and remove the comment.',
  check({ document }, report) {
    const { comments, source } = document;
    const { text } = source;
    for (const { start, end } of comments) {
      if (!text.startsWith(changeMark, start)) continue;
      const setting = text
        .slice(start + changeMark.length, Math.min(end, start + mostShown))
        .trim();
      const valueEnd = blanksBefore(text, start);
      // Only a person knows whether the value has been replaced.
      const fixes = [
        {
          title: 'Remove the comment, because the value has been replaced',
          edits: [{ span: span(valueEnd, end), newText: '' }],
          choice: true,
        },
      ] as const;
      // The comment is outside of a value that it follows.
      const path = fieldPathOf(document, span(Math.max(0, valueEnd - 1), valueEnd));
      // The mark alone, so that an excerpt of a long line has the value.
      report(
        span(start, start + changeMark.length),
        { setting },
        { fixes, ...(path === '' ? {} : { path }) },
      );
    }
  },
});

/** The longest comment of a provider is shorter. */
const mostShown = 200;

/** Returns the start of the blanks that separate a comment from the value. */
const blanksBefore = (text: string, comment: number): number => {
  let start = comment;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  return start;
};
