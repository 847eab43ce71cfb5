/** Each diagnostic code has a page: its bad example has the code, its good one and its fix do not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../engine/src/catalog.ts';
import { configurationsInFile } from '../../engine/src/cli/configurations-in-file.ts';
import { compile } from '../../engine/src/compile/compile.ts';
import { settingsFor } from '../../engine/src/compile/settings.ts';
import type { Diagnostic } from '../../engine/src/diagnostics/diagnostic.ts';
import { newestRelease, parseRelease } from '../../engine/src/model/release.ts';
import { readSettings } from '../../engine/src/settings/read-settings.ts';
import { settingsFileName } from '../../engine/src/settings/settings.ts';
import { readClaims } from '../../engine/src/signed-token/payload.ts';
import { advise } from '../../engine/src/simulate/advice/advise.ts';
import { readTests } from '../../engine/src/simulate/tests/read-tests.ts';
import { whoamiClaims } from '../../engine/src/simulate/whoami/whoami-claims.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { applyEdits } from '../../engine/src/source/text-edit.ts';

const folder = join(import.meta.dirname, '../../docs/diagnostics');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

/** Returns what `authgraph check` would report. The example may name a release in a comment. */
const diagnose = (text: string): readonly Diagnostic[] => {
  if (text.startsWith(`# ${settingsFileName}\n`))
    return readSettings(sourceFile(settingsFileName, text), catalog).diagnostics;
  if (/^# \S+\.authtest\.yaml\n/.test(text)) {
    const file = readTests(sourceFile('auth.authtest.yaml', text), []);
    const expanded = file.expand({ issuers: [], sample: () => '', preset: () => undefined });
    return [...file.diagnostics, ...expanded.diagnostics];
  }
  const wanted = /^# target-version: (\S+)/m.exec(text)?.[1];
  const release = (wanted === undefined ? undefined : parseRelease(wanted)) ?? newestRelease;
  const source = sourceFile('page.yaml', text);
  const settings = settingsFor(release);
  // A file with flags of kube-apiserver.
  if (/^kind: ClusterConfiguration$/m.test(text))
    return configurationsInFile(source, { settings, limits: 'warn' }).flatMap(
      (found) => found.compile().diagnostics,
    );
  const compilation = compile({ source, settings });
  return [...compilation.diagnostics, ...advise(compilation)];
};

interface Example {
  readonly text: string;
  /** Claims to decide on; without them the example is only compiled. */
  readonly claims: string | undefined;
}

const example = (page: string, heading: string): Example | undefined => {
  const block = '```(?:yaml|json)\\n([\\s\\S]*?)\\n```';
  const found = new RegExp(
    `^## ${heading}\\n+${block}(?:\\n+\`\`\`json\\n([\\s\\S]*?)\\n\`\`\`)?`,
    'm',
  ).exec(page);
  return found?.[1] === undefined ? undefined : { text: found[1], claims: found[2] };
};

/** Returns the codes of the diagnostics of an example, or of the rejection of its claims. */
const codesOf = ({ text, claims }: Example): readonly string[] => {
  if (claims === undefined) return diagnose(text).map(({ code }) => code);
  const { graph } = compile({ source: sourceFile('page.yaml', text) });
  const claimSet = readClaims(new TextEncoder().encode(claims));
  if (graph === undefined || claimSet === undefined)
    throw new Error('the example cannot be decided');
  const { decision } = whoamiClaims(graph, claimSet, { mode: 'product', explain: false, now: 0 });
  if (decision.kind === 'noOpinion') throw new Error('no authenticator for the example');
  return decision.kind === 'rejected' ? [decision.reason.code] : [];
};

test('every code has a page and every page a code', () => {
  const names = catalog.map(({ name }) => `${name}.md`);
  expect(names.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
  expect(pages.filter((name) => name !== 'README.md' && !names.includes(name))).toEqual([]);
});

test('codes and names are unique', () => {
  expect(new Set(catalog.map(({ code }) => code)).size).toBe(catalog.length);
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length);
});

describe.each(catalog.filter(({ name }) => existsSync(join(folder, `${name}.md`))))(
  '$code $name',
  ({ code, name, summary }) => {
    const page = readFileSync(join(folder, `${name}.md`), 'utf8');
    const bad = example(page, 'Bad');
    const good = example(page, 'Good');

    test('the page has its title and its sections', () => {
      expect(page.split('\n')[0]).toBe(`# ${code} ${name}`);
      expect(page.split('\n')[2]?.replaceAll('`', '')).toBe(summary);
      for (const part of ['What it means', 'Why it matters', 'How to fix it']) {
        expect(page).toContain(`\n## ${part}\n`);
      }
    });

    if (bad !== undefined) {
      test('the bad example has the diagnostic', () => {
        expect(codesOf(bad)).toContain(code);
      });
    }

    if (good !== undefined) {
      test('the good example does not have it, and compiles', () => {
        expect(codesOf(good)).not.toContain(code);
        const errors = diagnose(good.text).filter(({ severity }) => severity === 'error');
        expect(errors).toEqual([]);
      });
    }

    if (bad !== undefined && bad.claims === undefined) {
      test('a fix removes its diagnostic', () => {
        for (const { code: shown, fixes } of diagnose(bad.text)) {
          const [fix] = fixes;
          if (shown !== code || fix === undefined) continue;
          const fixed = applyEdits(bad.text, fix.edits);
          expect(diagnose(fixed).filter((one) => one.code === code)).toEqual([]);
        }
      });
      test('Fix All does not apply the fix of advice, since kube-apiserver loads the file', () => {
        for (const { source, fixes } of diagnose(bad.text)) {
          if (source !== 'lint') continue;
          const applied = fixes.filter(({ choice, changesAccess }) => !choice && !changesAccess);
          expect(applied).toEqual([]);
        }
      });
    }
  },
);
