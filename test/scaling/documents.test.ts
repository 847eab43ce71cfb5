/** Checks that the errors of hostile files are reported within a second. */
import { describe, expect, test } from 'vitest';
import { compileText } from '../support/compile-text.ts';
import { processorMs } from '../support/processor-time.ts';

const secondMs = 1_000;

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const entryHead = `${head}jwt:\n- issuer:\n    url: https://a.example\n    audiences: `;
const deep = 10_000;
const hostile: readonly (readonly [string, string])[] = [
  ['flow sequences', `${head}x: ${'['.repeat(deep)}`],
  ['closed flow sequences', `${head}x: ${'['.repeat(deep)}${']'.repeat(deep)}\n`],
  ['flow maps', `${head}x: ${'{a: '.repeat(deep)}1${'}'.repeat(deep)}\n`],
  ['dashes on one line', `${head}x:\n  ${'- '.repeat(deep)}a\n`],
  ['question marks', `${head}x:\n  ${'? '.repeat(deep)}a\n`],
  [
    'indented maps',
    `${head}${Array.from({ length: 1400 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')}`,
  ],
  ['JSON arrays', `{"a":${'['.repeat(deep)}`],
  ['JSON objects', `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`],
  ['a wide flow sequence', `${head}x: [${'a,'.repeat(500_000)}]\n`],
  ['a wide block sequence', `${head}x:\n${'- a\n'.repeat(200_000)}`],
  ['wide pairs', `${head}x: [${'a: b,'.repeat(200_000)}]\n`],
  ['a wide JSON array', `{"a":[${'1,'.repeat(500_000)}1]}`],
  ['a wide broken JSON array', `{"a":[${'1,'.repeat(500_000)}]}`],
  ['commas in a bracket', `${head}x: [${','.repeat(120_000)}`],
  ['colons in a bracket', `${head}x: [${': '.repeat(60_000)}`],
  ['bare anchors', `${head}${'&a '.repeat(40_000)}`],
  ['bare aliases', `${head}x: [${'*a '.repeat(40_000)}`],
  ['many audiences', `${entryHead}[${'a,'.repeat(90_000)}]\n`],
  ['many numbers in a list of strings', `${entryHead}[${'1,'.repeat(90_000)}]\n`],
  ['many rules', `${entryHead}[a]\n  claimValidationRules:\n${'  - {claim: x}\n'.repeat(20_000)}`],
  [
    'many expressions',
    `${entryHead}[a]\n  claimValidationRules:\n${Array.from({ length: 15_000 }, (_, at) => `  - {expression: x${at}}\n`).join('')}`,
  ],
  ['many entries', `${head}jwt: [${'{},'.repeat(40_000)}]\n`],
  ['anchors', `${head}${Array.from({ length: deep }, (_, at) => `k${at}: &a${at} x\n`).join('')}`],
  [
    'aliases',
    `${head}a: &a x\n${Array.from({ length: deep }, (_, at) => `k${at}: *a\n`).join('')}`,
  ],
  ['repeated keys', `${head}${'kind: x\n'.repeat(deep)}`],
  [
    'unknown keys',
    `${head}${Array.from({ length: deep }, (_, at) => `unknown${at}: x\n`).join('')}`,
  ],
  ['one long key', `${head}${'k'.repeat(500_000)}: x\n`],
  ['quotes', `${head}x: ${"'".repeat(500_000)}`],
  ['colons', `${head}x: ${': '.repeat(200_000)}`],
  ['comment', `${head}${'#'.repeat(900_000)}`],
  ['empty lines', `${head}${'\n'.repeat(900_000)}`],
];

/** Processor time, so that a busy machine does not fail the test. */
describe('an error is reported within a second', () => {
  test.each(hostile)('%s', (_, text) => {
    const { diagnostics } = compileText(text);
    expect(processorMs(() => compileText(text), secondMs)).toBeLessThan(secondMs);
    for (const { message } of diagnostics) expect(message.length).toBeLessThan(600_000);
  });

  test.each([
    ['eight levels of ten aliases', 8],
    ['thirty levels of ten aliases', 30],
  ])('%s', (_, levels) => {
    const lines = Array.from(
      { length: levels },
      (__, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(10)}]\n`,
    );
    const text = `${head}a0: &a0 x\n${lines.join('')}`;
    for (const exact of [true, false]) {
      const { report, diagnostics } = compileText(text, { exact, limits: 'warn' });
      expect(
        processorMs(() => compileText(text, { exact, limits: 'warn' }), secondMs),
      ).toBeLessThan(secondMs);
      expect(report.ok).toBe(false);
      expect(diagnostics.length).toBeGreaterThan(0);
    }
  });

  test('a megabyte in an expression', () => {
    const expression = `"${'s'.repeat(1_050_000)}"`;
    const text = `${head}jwt:\n- issuer: {url: 'https://a', audiences: [a]}\n  claimMappings: {username: {expression: '${expression}'}}\n`;
    const { diagnostics } = compileText(text);
    expect(processorMs(() => compileText(text), secondMs)).toBeLessThan(secondMs);
    expect(diagnostics.map(({ name }) => name)).toContain('document-limit');
  });
});
