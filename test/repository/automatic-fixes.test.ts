/**
 * A fix that is applied without a review changes no one's access: each automatic fix of the
 * examples in docs/diagnostics is applied, alone and with Fix All, and the access before and after
 * is compared.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile } from '../../engine/src/compile/compile.ts';
import { automaticFix, type Diagnostic } from '../../engine/src/diagnostics/diagnostic.ts';
import { lint } from '../../engine/src/lints/lint.ts';
import { fixAll } from '../../engine/src/lints/parts/fix-all.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { applyEdits } from '../../engine/src/source/text-edit.ts';
import { accessChangesOf } from '../support/access-of-fix.ts';

const folder = join(import.meta.dirname, '../../docs/diagnostics');

/** A valid authenticator after the faulty ones, whose access no fix may change. */
const bystander = `- issuer:
    url: https://bystander.example
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: "bystander:"}
`;

const withBystander = (text: string): string => {
  const isList = /^jwt:\n- [\s\S]*$/m.test(text) && !/^(?!jwt|- | |#)\S.*$/m.test(afterList(text));
  return isList ? `${text}\n${bystander}` : text;
};

const afterList = (text: string): string => text.slice(text.search(/^jwt:/m));

const examples = readdirSync(folder).flatMap((name) => {
  const page = readFileSync(join(folder, name), 'utf8');
  return Array.from(page.matchAll(/^```yaml\n([\s\S]*?)\n```$/gm), ([, text = '']) => ({
    name,
    text: withBystander(text),
  })).filter(({ text }) => text.includes('AuthenticationConfiguration'));
});

const diagnose = (text: string): readonly Diagnostic[] => {
  const compilation = compile({ source: sourceFile('page.yaml', text) });
  return [...compilation.diagnostics, ...lint(compilation)];
};

describe.each(examples)('$name', ({ text }) => {
  test('an automatic fix changes no access', () => {
    for (const diagnostic of diagnose(text)) {
      const fix = automaticFix(diagnostic);
      if (fix === undefined) continue;
      const changes = accessChangesOf(text, applyEdits(text, fix.edits));
      expect([diagnostic.code, fix.title, changes]).toEqual([diagnostic.code, fix.title, []]);
    }
  });
  test('Fix All changes no access', () => {
    const edits = fixAll(compile({ source: sourceFile('page.yaml', text) }));
    expect(accessChangesOf(text, applyEdits(text, edits))).toEqual([]);
  });
});

test('the comparison finds the changes of fixes that need a review', () => {
  const changing = examples.flatMap(({ text }) =>
    diagnose(text)
      .flatMap(({ fixes }) => fixes)
      .filter(({ edits }) => accessChangesOf(text, applyEdits(text, edits)).length > 0),
  );
  expect(changing.length).toBeGreaterThan(10);
  expect(changing.filter(({ choice, changesAccess }) => !choice && !changesAccess)).toEqual([]);
});
