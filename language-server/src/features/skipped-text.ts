/** The sentence that says which configuration was skipped because of a limit, and what to do. */
import { oneLine } from '@authgraph/engine/language';
import { URI, Utils } from 'vscode-uri';
import type { SkippedFile } from '../closed-configurations.ts';

export const skippedText = (skipped: SkippedFile): string => {
  const name = 'uri' in skipped ? oneLine(Utils.basename(URI.parse(skipped.uri))) : '';
  switch (skipped.kind) {
    case 'too long':
      return `${name} is too long to be read while it is closed: open it.`;
    case 'too many':
      return `${name} and later files were not read, because the workspace has too many configurations: open it.`;
    case 'stopped':
      return `The analysis of ${name} was stopped, so it is not part of this answer.`;
    case 'search truncated':
      return 'The workspace has too many files: some configurations may be missing.';
  }
};
