/**
 * Tests the conformance program, which reads cases and writes results: it must not use the recorded
 * results.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';

const program = join(import.meta.dirname, '../oracle/modules.ts');

test('ignores the recorded result of a case', () => {
  const lines = ['bearer', 'x509', 'tokenfile', 'stack'].flatMap((module) =>
    moduleCases(module).slice(0, 1),
  );
  const inputLines = [
    ...lines.map((line) => JSON.stringify({ ...line, expect: { outcome: 'made up' } })),
    '{"id":"unknown","module":"nothing"}',
    'no JSON',
  ];
  const output = execFileSync(process.execPath, [program], { input: `${inputLines.join('\n')}\n` });
  const answers = output.toString('utf8').trim().split('\n');
  expect(answers.slice(0, lines.length).map((text) => JSON.parse(text))).toEqual(
    lines.map(({ id, expect: answer }) => ({ id, expect: answer })),
  );
  expect(JSON.parse(answers.at(-2) ?? '')).toEqual({
    id: 'unknown',
    fault: 'unknown module "nothing"',
  });
  expect(JSON.parse(answers.at(-1) ?? '').fault).toMatch(/^bad case: /);
});
