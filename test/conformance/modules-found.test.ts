/** Recorded results of additional cases for all modules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerModules } from '../support/answer-modules/answers.ts';
import type { RecordedLine } from '../support/answer-modules/module-cases.ts';

const recorded = readFileSync(join(import.meta.dirname, 'modules-found.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(
    (line) =>
      JSON.parse(line) as RecordedLine & { readonly module: string; readonly title: string },
  );

test.each(recorded)('$id: $title', async ({ expect: answer, ...line }) => {
  // Each function handles the cases of its own module.
  expect(await answerModules.get(line.module)?.(line as never)).toEqual(answer);
});
