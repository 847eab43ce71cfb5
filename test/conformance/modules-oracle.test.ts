/** The answering program: lines in, answers out, and nothing taken from what was recorded. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';

const program = join(import.meta.dirname, '../oracle/modules.ts');

test('a line is answered alike with and without what was recorded', () => {
  const lines = ['bearer', 'x509', 'tokenfile', 'stack'].flatMap((module) =>
    moduleCases(module).slice(0, 1),
  );
  const inputLines = [
    ...lines.map((line) => JSON.stringify({ ...line, expect: { outcome: 'made up' } })),
    '{"id":"odd","module":"nothing"}',
    'no JSON',
  ];
  const output = execFileSync(process.execPath, [program], { input: `${inputLines.join('\n')}\n` });
  const answers = output.toString('utf8').trim().split('\n');
  expect(answers.slice(0, lines.length).map((text) => JSON.parse(text))).toEqual(
    lines.map(({ id, expect: answer }) => ({ id, expect: answer })),
  );
  expect(JSON.parse(answers.at(-2) ?? '')).toEqual({
    id: 'odd',
    fault: 'unknown module "nothing"',
  });
  expect(JSON.parse(answers.at(-1) ?? '').fault).toMatch(/^bad case: /);
});
