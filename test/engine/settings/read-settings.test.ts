/** Reading a settings file: its values, its mistakes with their fixes, its schema, hostile text. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '../../../engine/src/catalog.ts';
import { readSettings } from '../../../engine/src/settings/read-settings.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';
import { schemaErrors } from '../../support/json-schema.ts';

const read = (text: string) => readSettings(sourceFile('.authgraph.yaml', text), catalog);

const complete = `targetVersion: "1.30"
apiDomain: k8s.io
lints:
  "*": hint
  AG4010: warning
  optional-claim: off
  empty-username: error
suppressions:
- code: system-names
  files: clusters/**/*.yaml
  path: jwt[0].claimMappings
  reason: only the platform team can write to this issuer
  expires: 2027-01-31
- {code: AG4013, reason: all tokens have it}
sampleFolders: [test/claims, ../claims]
`;

test('reads every setting', () => {
  const { settings, diagnostics } = read(complete);
  expect(diagnostics).toEqual([]);
  expect(settings).toMatchObject({
    targetRelease: 30,
    apiDomain: 'k8s.io',
    lintLevels: new Map([
      ['*', 'hint'],
      ['AG4010', 'warning'],
      ['AG4013', 'off'],
      ['AG4014', 'error'],
    ]),
    suppressions: [
      {
        code: 'AG4010',
        files: 'clusters/**/*.yaml',
        path: 'jwt[0].claimMappings',
        reason: 'only the platform team can write to this issuer',
        expiresAt: Date.UTC(2027, 1, 1),
        entry: { path: 'suppressions[0]' },
      },
      { code: 'AG4013', files: undefined, path: undefined, expiresAt: undefined },
    ],
    sampleFolders: ['test/claims', '../claims'],
  });
});

test.each(['', '# only a comment\n', '---\n', '{}', 'null\n'])('%j sets nothing', (text) => {
  const { settings, diagnostics } = read(text);
  expect(diagnostics).toEqual([]);
  expect(settings).toEqual({
    targetRelease: undefined,
    apiDomain: undefined,
    lintLevels: new Map(),
    suppressions: [],
    sampleFolders: [],
  });
});

/** The line and column of each mistake, its message and help, and the text after its first fix. */
const mistakes: readonly (readonly [text: string, shown: readonly string[], fixed?: string])[] = [
  [
    'targetversion: "1.34"\n',
    ['1:1 AG3101 targetversion: unknown setting | Did you mean `targetVersion`?'],
    'targetVersion: "1.34"\n',
  ],
  [
    'bogus: 1\n',
    [
      '1:1 AG3101 bogus: unknown setting | The settings here are targetVersion, apiDomain, lints, suppressions, sampleFolders.',
    ],
  ],
  [
    'targetVersion: 1.30\n',
    [
      '1:16 AG3102 targetVersion: must be a string; without quotes, YAML parses 1.30 as a number | Write "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36" or "1.37".',
    ],
    'targetVersion: "1.30"\n',
  ],
  [
    'apiDomain: k8s.i0\n',
    ['1:12 AG3102 apiDomain: "k8s.i0" is not supported | Did you mean `k8s.io`?'],
    'apiDomain: k8s.io\n',
  ],
  [
    'lints:\n  system-names: warn\n',
    [
      '2:17 AG3102 lints.system-names: "warn" is not supported | Write error, warning, information, hint or off.',
    ],
  ],
  [
    'lints: {system-name: off}\n',
    [
      '1:9 AG3103 lints.system-name: no lint has the code or name "system-name" | Did you mean `system-names`?',
    ],
    'lints: {system-names: off}\n',
  ],
  [
    'lints:\n  duplicate-issuer-url: warning\n',
    [
      '2:3 AG3104 lints.duplicate-issuer-url: AG1012 (duplicate-issuer-url) is an error of kube-apiserver: it can be neither lowered nor suppressed | Remove it, and fix the configuration instead.',
    ],
  ],
  [
    'lints: {document-limit: off}\n',
    [
      '1:9 AG3104 lints.document-limit: AG1004 (document-limit) is not a lint: it can be neither lowered nor suppressed | Remove it, and fix the configuration instead.',
    ],
  ],
  ['suppressions:\n- code: AG4010\n', ['2:3 AG3102 suppressions[0]: reason is required | ']],
  [
    'suppressions:\n- code: AG4010\n  reason: ""\n',
    ['3:11 AG3102 suppressions[0].reason: must not be empty | '],
  ],
  [
    'suppressions:\n- {code: AG4010, reason: x, expires: 2027-02-30}\n',
    ['2:38 AG3102 suppressions[0].expires: must be a date such as 2027-01-31 | '],
  ],
  [
    'suppressions:\n- {code: AG4010, reason: x, files: ../other/*.yaml}\n',
    [
      '2:36 AG3102 suppressions[0].files: must be relative to the folder of the settings file and stay in it | ',
    ],
  ],
  [
    'sampleFolders: [/etc]\n',
    ['1:17 AG3102 sampleFolders[0]: must be relative to the folder of the settings file | '],
  ],
  ['lints: off\n', ['1:8 AG3102 lints: must be a map from lints to levels | ']],
  ['- 1\n', ['1:1 AG3102 must be a map of settings | ']],
  [
    'a: 1\n---\nb: 2\n',
    [
      '1:1 AG3101 a: unknown setting | The settings here are targetVersion, apiDomain, lints, suppressions, sampleFolders.',
      '2:1 AG3102 only the first YAML document of a settings file is read | Move the settings into the first document.',
    ],
  ],
];

test.each(mistakes.map(([text, shown, fixed]) => ({ text, shown, fixed })))('$text', (mistake) => {
  const { text, shown, fixed } = mistake;
  const { source, diagnostics } = read(text);
  expect(
    diagnostics.map(({ code, message, help, span }) => {
      const { line, column } = source.positionAt(span.start);
      return `${line + 1}:${column + 1} ${code} ${message} | ${help}`;
    }),
  ).toEqual(shown);
  const [fix] = diagnostics.flatMap(({ fixes }) => fixes);
  expect(fix && applyEdits(text, fix.edits)).toBe(fixed);
});

test('keeps the settings without a mistake', () => {
  const { settings } = read(
    `targetVersion: "1.33"\napiDomain: x\nlints: {AG4010: off, nope: off}\nsuppressions: [{code: AG4013}, {code: AG4014, reason: later}]\n`,
  );
  expect(settings.targetRelease).toBe(33);
  expect(settings.apiDomain).toBeUndefined();
  expect([...settings.lintLevels]).toEqual([['AG4010', 'off']]);
  expect(settings.suppressions.map(({ code, entry }) => `${entry.path} ${code}`)).toEqual([
    'suppressions[1] AG4014',
  ]);
});

test('reports invalid YAML', () => {
  expect(read('lints: [').diagnostics.map(({ code }) => code)).toContain('AG1001');
  expect(read('lints: {}\nlints: {}\n').diagnostics.map(({ code }) => code)).toEqual(['AG1003']);
});

describe('the JSON Schema', () => {
  // An editor with a JSON Schema reads YAML 1.2, in which `off` is a string.
  const errorsOf = (text: string): readonly string[] => schemaErrors('settings.v1', parse(text));

  test('accepts what the reader accepts', () => {
    expect(errorsOf(complete)).toEqual([]);
    expect(errorsOf('')).toEqual([]);
  });

  test.each(mistakes.flatMap(([text]) => (/---|2027|\.\.\/|\/etc/.test(text) ? [] : [text])))(
    'rejects %j',
    (text) => {
      expect(errorsOf(text)).not.toEqual([]);
    },
  );
});

describe('hostile text', () => {
  test('aliases that expand to a huge tree are refused', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...[...'bcdefghi'].map((name, at) => {
        const item = `*${'abcdefghi'[at]}`;
        return `${name}: &${name} [${Array(10).fill(item).join(', ')}]`;
      }),
    ].join('\n');
    const { settings, diagnostics } = read(`${bomb}\ntargetVersion: "1.30"\n`);
    expect(diagnostics.map(({ message }) => message)).toContain(
      'yaml: document contains excessive aliasing',
    );
    expect(settings.targetRelease).toBeUndefined();
  });

  test('a list beyond its limit is refused, and mistakes are bounded', () => {
    const many = `suppressions:\n${'- {code: AG4010, reason: x}\n'.repeat(1001)}`;
    expect(read(many).diagnostics.map(({ message }) => message)).toEqual([
      'suppressions: must have at most 1000 items',
    ]);
    const unknown = Array.from({ length: 5000 }, (_, at) => `key${at}: 1\n`).join('');
    expect(read(unknown).diagnostics.length).toBe(100);
  });

  test('a name of any length does not fill a message', () => {
    const [found] = read(`${'x'.repeat(900)}: 1\n`).diagnostics;
    expect(found?.message.length).toBeLessThan(100);
  });
});
