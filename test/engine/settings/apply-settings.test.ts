/** Levels and suppressions change lints, and nothing else. */
import { expect, test } from 'vitest';
import { catalog } from '../../../engine/src/catalog.ts';
import type { Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { applySettings, untrustedSettings } from '../../../engine/src/settings/apply-settings.ts';
import { readSettings } from '../../../engine/src/settings/read-settings.ts';
import { overlaySettings, type Suppression } from '../../../engine/src/settings/settings.ts';
import {
  expiredSuppressions,
  unusedSuppressions,
} from '../../../engine/src/settings/suppression-findings.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const settingsOf = (text: string) => {
  const { settings, diagnostics } = readSettings(sourceFile('.authgraph.yaml', text), catalog);
  expect(diagnostics).toEqual([]);
  return settings;
};

const finding = (code: string, path = 'jwt[0].claimMappings.username'): Diagnostic => {
  const rule = catalog.find((one) => one.code === code);
  if (rule === undefined) throw new Error(code);
  const { name, severity, source } = rule;
  const rest = { message: '', help: '', span: { start: 0, end: 0 }, related: [], fixes: [] };
  return { code, name, severity, source, path, ...rest };
};

const now = Date.UTC(2026, 5, 1);
const apply = (
  text: string,
  codes: readonly string[],
  at: { path?: string; field?: string } = {},
) => {
  const used = new Set<Suppression>();
  const settings = settingsOf(text);
  const shown = applySettings(
    codes.map((code) => finding(code, at.field)),
    {
      settings,
      path: at.path ?? 'clusters/eu/auth.yaml',
      now,
      onSuppressed: (one) => used.add(one),
    },
  );
  return {
    shown: shown.map(({ code, severity }) => `${code} ${severity}`),
    unused: unusedSuppressions(settings.suppressions, used, now).map(({ message }) => message),
  };
};

test('a level replaces the severity of a lint, by code, by name and for all others', () => {
  const text = 'lints: {"*": hint, AG4010: error, optional-claim: off}\n';
  expect(apply(text, ['AG4010', 'AG4013', 'AG4014', 'AG1012', 'AG1004']).shown).toEqual([
    'AG4010 error',
    'AG4014 hint',
    'AG1012 error',
    'AG1004 error',
  ]);
});

const suppression = (fields: string): string =>
  `suppressions: [{code: AG4010, reason: r${fields}}]\n`;

test.each<[fields: string, at: { path?: string; field?: string }, isSuppressed: boolean]>([
  ['', {}, true],
  [', files: "clusters/**"', {}, true],
  [', files: "clusters/*"', {}, false],
  [', files: "{a,clusters/eu}/auth.yaml"', {}, true],
  [', path: "jwt[0]"', {}, true],
  [', path: "jwt[0].claimMappings.username"', {}, true],
  [', path: "jwt[0].claimMappings.user"', {}, false],
  [', path: "jwt[0]"', { field: 'jwt[01]' }, false],
  [', path: "jwt[1]"', {}, false],
  [', path: jwt', { field: 'jwt[7]' }, true],
  [', expires: 2026-06-01', {}, true],
  [', expires: 2026-05-31', {}, false],
])('a suppression with %j at %j', (fields, at, isSuppressed) => {
  const { shown } = apply(suppression(fields), ['AG4010', 'AG4013'], at);
  expect(shown).toEqual([...(isSuppressed ? [] : ['AG4010 information']), 'AG4013 information']);
});

test('an unused suppression is reported, an expired one in its own words', () => {
  const text = `suppressions:
- {code: AG4010, reason: r}
- {code: AG4013, reason: r}
- {code: AG4014, reason: r, expires: 2026-05-31}
`;
  expect(apply(text, ['AG4010']).unused).toEqual([
    'suppressions[1]: no file has the diagnostic AG4013 at this place',
  ]);
  const { suppressions } = settingsOf(text);
  expect(expiredSuppressions(suppressions, now).map(({ message }) => message)).toEqual([
    'suppressions[2]: the suppression of AG4014 expired on 2026-05-31 and no longer applies',
  ]);
  expect(expiredSuppressions(suppressions, now - 24 * 3600 * 1000)).toEqual([]);
});

test('an untrusted workspace can raise lints, and neither lower nor suppress them', () => {
  const settings = untrustedSettings(
    settingsOf(`targetVersion: "1.34"
lints: {AG4010: error, AG4014: off, AG4013: hint}
suppressions: [{code: AG4010, reason: r}]
sampleFolders: [claims, ../claims, 'a\\..\\..\\b']
`),
    catalog,
  );
  expect(settings).toEqual({
    targetRelease: 34,
    apiDomain: undefined,
    lintLevels: new Map([['AG4010', 'error']]),
    suppressions: [],
    sampleFolders: ['claims'],
  });
});

test('the nearest source decides about each lint', () => {
  const editor = {
    ...settingsOf('targetVersion: "1.30"\napiDomain: platform.io\n'),
    lintLevels: new Map([['system-names', 'off'] as const, ['*', 'hint'] as const]),
  };
  const levels = (text: string, codes: readonly string[]) =>
    applySettings(
      codes.map((code) => finding(code)),
      {
        settings: overlaySettings(settingsOf(text), editor),
        path: 'a',
        now,
      },
    ).map(({ code, severity }) => `${code} ${severity}`);
  expect(levels('lints: {system-names: error}\n', ['AG4010', 'AG4013'])).toEqual([
    'AG4010 error',
    'AG4013 hint',
  ]);
  expect(levels('lints: {"*": warning}\n', ['AG4010', 'AG4013'])).toEqual([
    'AG4010 warning',
    'AG4013 warning',
  ]);
  expect(overlaySettings(settingsOf('targetVersion: "1.34"\n'), editor)).toMatchObject({
    targetRelease: 34,
    apiDomain: 'platform.io',
  });
});
