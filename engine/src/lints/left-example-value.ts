/**
 * The comment with which `authgraph new` marks an example value is still in the file: kube-apiserver
 * loads the example like any other value.
 */
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
  check({ document: { comments, source } }, report) {
    const { text } = source;
    for (const { start, end } of comments) {
      if (!text.startsWith(changeMark, start)) continue;
      const setting = text
        .slice(start + changeMark.length, Math.min(end, start + mostShown))
        .trim();
      // Only a person knows whether the value has been replaced.
      const fixes = [
        {
          title: 'Remove the comment, because the value has been replaced',
          edits: [{ span: span(blanksBefore(text, start), end), newText: '' }],
          choice: true,
        },
      ] as const;
      // The mark alone, so that an excerpt of a long line has the value.
      report(span(start, start + changeMark.length), { setting }, { fixes });
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
