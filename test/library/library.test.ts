/**
 * Configurations as providers and distributions document them: each compiles, decides its cases as
 * expected, and has the findings of the table.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Compilation, compile } from '../../engine/src/compile/compile.ts';
import { evidenceText } from '../../engine/src/diagnostics/evidence.ts';
import type { JsonObject } from '../../engine/src/formats/json-with-shape.ts';
import { linkDecider } from '../../engine/src/simulate/access/decide-claims.ts';
import { advise } from '../../engine/src/simulate/advice/advise.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { libraryCases } from './cases.ts';

const folder = join(import.meta.dirname, 'configurations');
const names = readdirSync(folder)
  .map((file) => file.replace(/\.yaml$/, ''))
  .toSorted();

const compiled = new Map<string, Compilation>();
const compilationOf = (name: string): Compilation => {
  const text = readFileSync(join(folder, `${name}.yaml`), 'utf8');
  const found = compiled.get(name) ?? compile({ source: sourceFile(`${name}.yaml`, text) });
  compiled.set(name, found);
  return found;
};

test('there are at least 60 configurations, and each has cases and a source', () => {
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect([...libraryCases.keys()].toSorted()).toEqual(names);
  for (const name of names) {
    expect(readFileSync(join(folder, `${name}.yaml`), 'utf8'), name).toMatch(
      /^# .+\.\n# Source: \S+\n/,
    );
  }
});

test.each(names)('%s compiles', (name) => {
  const errors = compilationOf(name).diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ message }) => message)).toEqual([]);
});

// Files without an issuer decide no token.
describe.each([...libraryCases].filter(([, cases]) => cases.length > 0))(
  '%s decides',
  (name, cases) => {
    test.each(cases)('case %#', ({ claims, user }) => {
      const decided = linkDecider(compilationOf(name).graph, 'product')(claims as JsonObject);
      const groups = decided?.groups.filter((group) => group !== 'system:authenticated');
      expect(decided && { username: decided.username, groups }).toEqual(user);
    });
  },
);

const opening = `# Findings in the library

One line per configuration and lint, with the example or the proof. \`AUTHGRAPH_WRITE_FIXTURES=1 npx vitest run
test/library\` writes the table; read each new line before you commit it.

| configuration | finding | severity | evidence |
|---|---|---|---|
`;

const lineOf = (name: string): readonly string[] => {
  const findings = advise(compilationOf(name));
  if (findings.length === 0) return [`| ${name} | - | | |\n`];
  return findings.map(({ code, name: lint, severity, evidence }) => {
    const shown = evidence === undefined ? '' : (evidenceText(evidence) ?? 'undecided');
    return `| ${name} | ${code} ${lint} | ${severity} | ${shown.replaceAll('|', '\\|')} |\n`;
  });
};

test('the findings are those of the table', () => {
  const path = join(import.meta.dirname, 'findings.md');
  const table = opening + names.flatMap(lineOf).join('');
  if (process.env.AUTHGRAPH_WRITE_FIXTURES !== undefined) writeFileSync(path, table);
  expect(table).toBe(readFileSync(path, 'utf8'));
});

test('an example of a finding is decided as the finding states', () => {
  for (const name of names) {
    const decide = linkDecider(compilationOf(name).graph, 'product');
    for (const { evidence } of advise(compilationOf(name))) {
      if (evidence?.kind !== 'tokens') continue;
      for (const { claims, user } of evidence.tokens)
        expect(decide(claims as JsonObject)?.username).toBe(user?.username);
    }
  }
});
