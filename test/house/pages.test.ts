/** One page a diagnostic code; its bad example shows the code, its good one does not, its fix mends. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../engine/src/catalogue.ts';
import { compile } from '../../engine/src/compile/compile.ts';
import { settingsFor } from '../../engine/src/compile/settings.ts';
import type { Diagnostic } from '../../engine/src/diagnostics/diagnostic.ts';
import { lint } from '../../engine/src/lints/lint.ts';
import { newestRelease, parseRelease } from '../../engine/src/model/release.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { applyEdits } from '../../engine/src/source/text-edit.ts';

const folder = join(import.meta.dirname, '../../docs/diagnostics');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

/** All that `authgraph check` would say. The example may name a release in a comment. */
const diagnose = (text: string): readonly Diagnostic[] => {
  const wanted = /^# target-version: (\S+)/m.exec(text)?.[1];
  const release = (wanted === undefined ? undefined : parseRelease(wanted)) ?? newestRelease;
  const compilation = compile({ source: sourceFile('page.yaml', text), settings: settingsFor(release) });
  return [...compilation.diagnostics, ...lint(compilation)];
};

const example = (page: string, heading: string): string | undefined =>
  new RegExp(`^## ${heading}\\n+\`\`\`(?:yaml|json|text)\\n([\\s\\S]*?)\\n\`\`\``, 'm').exec(page)?.[1];

test('every code has a page and every page a code', () => {
  const names = catalogue.map(({ name }) => `${name}.md`);
  expect(names.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
  expect(pages.filter((name) => name !== 'README.md' && !names.includes(name))).toEqual([]);
});

test('codes and names are unique', () => {
  expect(new Set(catalogue.map(({ code }) => code)).size).toBe(catalogue.length);
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length);
});

describe.each(catalogue.filter(({ name }) => existsSync(join(folder, `${name}.md`))))(
  '$code $name',
  ({ code, name }) => {
    const page = readFileSync(join(folder, `${name}.md`), 'utf8');
    const bad = example(page, 'Bad');
    const good = example(page, 'Good');

    test('the page has its title and its parts', () => {
      expect(page.split('\n')[0]).toBe(`# ${code} ${name}`);
      for (const part of ['What it means', 'Why it matters', 'How to mend it']) {
        expect(page).toContain(`\n## ${part}\n`);
      }
    });

    test.runIf(bad !== undefined)('the bad example shows it', () => {
      expect(diagnose(bad ?? '').map((found) => found.code)).toContain(code);
    });

    test.runIf(good !== undefined)('the good example does not, and compiles', () => {
      const found = diagnose(good ?? '');
      expect(found.filter((one) => one.code === code || one.severity === 'error')).toEqual([]);
    });

    test.runIf(bad !== undefined)('a fix mends what it says', () => {
      for (const { code: shown, fixes } of diagnose(bad ?? '')) {
        const [fix] = fixes;
        if (shown !== code || fix === undefined) continue;
        const mended = applyEdits(bad ?? '', fix.edits);
        expect(diagnose(mended).filter((one) => one.code === code)).toEqual([]);
      }
    });
  },
);
