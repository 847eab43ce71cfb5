/** The controllers that `--controllers` enables; the rules are those of `IsControllerEnabled`. */
import { expect, test } from 'vitest';
import {
  implementedControllers,
  isControllerEnabled,
  missingControllers,
} from '../../../engine/src/server/flags/controller-names.ts';
import { defaultServeOptions } from '../../../engine/src/server/flags/options.ts';

const enabled = (entries: readonly string[]): readonly string[] =>
  implementedControllers.filter((name) => isControllerEnabled(name, entries));

const withoutCleaner = implementedControllers.filter((name) => name !== 'token-cleaner-controller');

test.each<[readonly string[], readonly string[]]>([
  [defaultServeOptions().controllers, implementedControllers],
  [['*'], withoutCleaner],
  [['*', 'tokencleaner'], implementedControllers],
  [['*', 'bootstrapsigner', 'tokencleaner'], implementedControllers],
  [['tokencleaner', '*'], implementedControllers],
  [['*', '-tokencleaner'], withoutCleaner],
  [['-tokencleaner', 'tokencleaner', '*'], withoutCleaner],
  [['tokencleaner', '-token-cleaner-controller'], ['token-cleaner-controller']],
  [['token-cleaner-controller'], ['token-cleaner-controller']],
  [['serviceaccount-token'], ['serviceaccount-token-controller']],
  [['-serviceaccount-token'], []],
  [[], []],
])('%j', (entries, expected) => {
  expect(enabled(entries)).toEqual(expected);
});

test('returns known controllers that are not implemented', () => {
  expect(missingControllers(['*', 'tokencleaner', 'bootstrapsigner', '-cronjob', 'job'])).toEqual([
    'bootstrap-signer-controller',
    'job-controller',
  ]);
});
