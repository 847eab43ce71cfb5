/** Findings about a settings file. */
import { defineFinding } from '../diagnostics/rule.ts';
import { settingsFileName } from './settings.ts';

export const unknownSetting = defineFinding<{
  readonly path: string;
  readonly near: string | undefined;
  readonly known: readonly string[];
}>({
  code: 'AG3101',
  name: 'unknown-setting',
  source: 'settings',
  summary: `A settings file (${settingsFileName}) contains an unknown setting.`,
  message: ({ path }) => `${path}: unknown setting`,
  help: ({ near, known }) =>
    near === undefined ? `The settings here are ${known.join(', ')}.` : `Did you mean \`${near}\`?`,
});

export const invalidSetting = defineFinding<{
  readonly path: string;
  readonly problem: string;
  readonly help?: string | undefined;
}>({
  code: 'AG3102',
  name: 'invalid-setting',
  source: 'settings',
  summary: `A settings file (${settingsFileName}) contains an invalid value.`,
  message: ({ path, problem }) => (path === '' ? problem : `${path}: ${problem}`),
  help: ({ help }) => help ?? '',
});

export const unknownLint = defineFinding<{
  readonly path: string;
  readonly written: string;
  readonly near: string | undefined;
}>({
  code: 'AG3103',
  name: 'unknown-lint',
  source: 'settings',
  summary: `A settings file (${settingsFileName}) names a lint that does not exist.`,
  message: ({ path, written }) =>
    `${path}: no lint has the code or name ${JSON.stringify(written)}`,
  help: ({ near }) =>
    near === undefined
      ? 'The codes and names of all lints are listed in docs/diagnostics/README.md.'
      : `Did you mean \`${near}\`?`,
});

export const fixedSeverity = defineFinding<{
  readonly path: string;
  readonly code: string;
  readonly name: string;
  readonly isServerError: boolean;
}>({
  code: 'AG3104',
  name: 'fixed-severity',
  source: 'settings',
  summary: `A settings file (${settingsFileName}) changes a diagnostic that is not a lint.`,
  message: ({ path, code, name, isServerError }) =>
    `${path}: ${code} (${name}) is ${isServerError ? 'an error of kube-apiserver' : 'not a lint'}: it can be neither lowered nor suppressed`,
  help: () => 'Remove it, and fix the configuration instead.',
});

export const unusedSuppression = defineFinding<{
  readonly path: string;
  readonly code: string;
}>({
  code: 'AG3105',
  name: 'unused-suppression',
  severity: 'warning',
  source: 'settings',
  summary: `A suppression in a settings file (${settingsFileName}) suppresses nothing.`,
  message: ({ path, code }) => `${path}: no file has the diagnostic ${code} at this place`,
  help: () => 'Remove the suppression, or correct its file or path.',
});

export const expiredSuppression = defineFinding<{
  readonly path: string;
  readonly code: string;
  readonly date: string;
}>({
  code: 'AG3106',
  name: 'expired-suppression',
  severity: 'warning',
  source: 'settings',
  summary: `A suppression in a settings file (${settingsFileName}) has expired.`,
  message: ({ path, code, date }) =>
    `${path}: the suppression of ${code} expired on ${date} and no longer applies`,
  help: () => 'Fix the reported places and remove the suppression, or set a later date.',
});
