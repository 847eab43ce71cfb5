/** `authgraph mutate samples`: each suite of the samples kills at least nine of ten mutants. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Report {
  readonly files: Readonly<
    Record<string, { readonly mutants: readonly { readonly status: string }[] }>
  >;
}

const root = join(import.meta.dirname, '../..');

test('each suite has a mutation score of at least 90 %', () => {
  const main = join(root, 'engine/dist/cli/main.js');
  const output = execFileSync(process.execPath, [main, 'mutate', 'samples', '-o', 'json'], {
    cwd: root,
    encoding: 'utf8',
  });
  const { files }: Report = JSON.parse(output);
  const scores = Object.entries(files).map(([file, { mutants }]) => {
    const counted = mutants.filter(({ status }) => status === 'Killed' || status === 'Survived');
    return {
      file,
      score: counted.filter(({ status }) => status === 'Killed').length / counted.length,
    };
  });
  expect(scores.length).toBeGreaterThan(15);
  expect(scores.filter(({ score }) => !(score >= 0.9))).toEqual([]);
});
