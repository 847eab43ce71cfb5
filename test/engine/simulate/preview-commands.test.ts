/** Shell commands that a preview offers for copying. */
import { expect, test } from 'vitest';
import {
  changeCommand,
  doctorCommand,
  graphCommand,
} from '../../../engine/src/simulate/preview/preview-commands.ts';

test('prints the graph command for a claims file, pasted claims and no claims', () => {
  const config = '/w/my auth.yaml';
  expect(graphCommand({ config, claims: { path: "/w/o'neil.json" }, release: 33 })).toBe(
    `authgraph graph --claims '/w/o'\\''neil.json' --target-version 1.33 '/w/my auth.yaml'`,
  );
  const pasted = { claims: { path: undefined }, release: 37 } as const;
  expect(graphCommand({ config, ...pasted })).toBe(`authgraph graph --claims - '/w/my auth.yaml'`);
  expect(graphCommand({ config: undefined, ...pasted })).toBe(
    'authgraph graph --claims - authentication.yaml',
  );
  expect(graphCommand({ config: undefined, claims: 'none', release: 37 })).toBe(
    'authgraph graph -',
  );
});

test('prints the diff command for the saved file, a commit and another text', () => {
  const options = {
    config: '/w/$(x)/auth.yaml',
    claims: ['/w/a.json', '/w/b.json'],
    release: 37,
  } as const;
  expect(changeCommand({ ...options, before: 'saved' })).toBe(
    `authgraph diff '/w/$(x)/auth.yaml' - --claims /w/a.json --claims /w/b.json`,
  );
  expect(changeCommand({ ...options, before: { revision: 'HEAD' } })).toBe(
    `git -C '/w/$(x)' show HEAD:./auth.yaml | authgraph diff - '/w/$(x)/auth.yaml' --claims /w/a.json --claims /w/b.json`,
  );
  expect(changeCommand({ ...options, before: { revision: undefined } })).toBe(
    `authgraph diff - '/w/$(x)/auth.yaml' --claims /w/a.json --claims /w/b.json`,
  );
  expect(
    changeCommand({
      ...options,
      config: '/auth.yaml',
      claims: ['/j'],
      before: { revision: 'HEAD' },
    }),
  ).toBe('git -C / show HEAD:./auth.yaml | authgraph diff - /auth.yaml --claims /j');
});

test('prints the doctor command for all issuers and for one', () => {
  expect(doctorCommand({ config: '/w/a.yaml', issuer: undefined, release: 37 })).toBe(
    'authgraph doctor --config /w/a.yaml',
  );
  expect(doctorCommand({ config: undefined, issuer: 'https://a.example/?x', release: 37 })).toBe(
    `authgraph doctor --config - --issuer 'https://a.example/?x'`,
  );
});
