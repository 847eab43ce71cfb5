import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { githubAnnotations } from '../../../engine/src/diagnostics/github.ts';
import { jsonReport } from '../../../engine/src/diagnostics/json.ts';
import { renderDiagnostic, renderText } from '../../../engine/src/diagnostics/render.ts';
import { sarifLog, sarifUri } from '../../../engine/src/diagnostics/sarif.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { processorMs } from '../../support/processor-time.ts';

const secondMs = 1_000;

const plain = { color: false, width: 80 };

/** Returns a diagnostic for the text between the two marks. */
const marked = (text: string, details: Partial<Diagnostic> = {}) => {
  const start = text.indexOf('⟦');
  const end = text.indexOf('⟧') - 1;
  const source = sourceFile('config.yaml', text.replace('⟦', '').replace('⟧', ''));
  const diagnostic: Diagnostic = {
    code: 'AG1012',
    name: 'duplicate-issuer-url',
    severity: 'error',
    source: 'server',
    message: 'Duplicate value: "a"',
    help: '',
    span: { start, end },
    related: [],
    fixes: [],
    ...details,
  };
  return { source, diagnostic };
};

const frame = (text: string, details: Partial<Diagnostic> = {}, options = plain): string => {
  const { source, diagnostic } = marked(text, details);
  return renderDiagnostic(source, diagnostic, options).replace(/\n[^\n]*= more:[^\n]*$/, '');
};

describe('code frame', () => {
  test('has a headline, a location, a line, marks and help', () => {
    expect(frame('a: 1\nb: ⟦two⟧ # x\n', { help: 'Write 2.' })).toBe(
      [
        'error[AG1012] Duplicate value: "a"',
        ' --> config.yaml:2:4',
        '  |',
        '2 | b: two # x',
        '  |    ^^^',
        '  = help: Write 2.',
      ].join('\n'),
    );
  });
  test.each([
    ['an empty span has one mark', 'ab⟦⟧cd', 'abcd', '  ^'],
    ['tabs become spaces', '\ta:\t⟦b⟧', '    a:  b', '        ^'],
    ['wide characters take two columns', '名前: ⟦値段⟧x', '名前: 値段x', '      ^^^^'],
    ['an emoji takes two columns', '👍🏽 ⟦a⟧', '👍🏽 a', '   ^'],
    ['combining marks take none', 'e\u0301e\u0301 ⟦e\u0301⟧', 'e\u0301e\u0301 e\u0301', '   ^'],
    ['control characters are replaced', 'a\u001b[31m⟦b⟧', 'a␛[31mb', '      ^'],
    ['direction marks are replaced', 'a\u202eb ⟦c⟧', 'a\ufffdb c', '    ^'],
    ['a span after the last line', 'ab⟦⟧', 'ab', '  ^'],
    ['CRLF', 'ab: ⟦c⟧\r\n', 'ab: c', '    ^'],
  ])('%s', (_, text, line, marks) => {
    const lines = frame(text).split('\n');
    expect(lines.slice(-2)).toEqual([`1 | ${line}`, `  | ${marks}`]);
  });
  test('a long line is truncated to a window around the span', () => {
    const lines = frame(`k: ${'x'.repeat(300)}⟦here⟧${'y'.repeat(300)}`)
      .split('\n')
      .slice(-2);
    expect(lines[0]).toMatch(/^1 \| …x+herey+…$/);
    expect(lines[0]?.length).toBeLessThanOrEqual(80);
    expect(lines[1]?.indexOf('^')).toBe(lines[0]?.indexOf('here'));
    expect(lines[1]).toMatch(/\^{4}$/);
  });
  test('a line as long as the file is rendered within a second', () => {
    const text = `k: ${'x'.repeat(5_000_000)}⟦here⟧${'y'.repeat(5_000_000)}`;
    const lines = frame(text).split('\n').slice(-2);
    expect(lines[0]).toMatch(/^1 \| …x+herey+…$/);
    expect(lines[1]?.indexOf('^')).toBe(lines[0]?.indexOf('here'));
    expect(processorMs(() => frame(text), secondMs)).toBeLessThan(secondMs);
  });
  test('marks never exceed the width', () => {
    const lines = frame(`a: ⟦${'x'.repeat(500)}⟧`).split('\n');
    for (const line of lines.slice(-2)) expect(line.length).toBeLessThanOrEqual(80);
  });
  test('a span over several lines has marks on each line, a long one only at its ends', () => {
    expect(frame('a: ⟦|\n  one\n  two⟧\nb: 1').split('\n').slice(3)).toEqual([
      '1 | a: |',
      '  |    ^',
      '2 |   one',
      '  |   ^^^',
      '3 |   two',
      '  |   ^^^',
    ]);
    expect(
      frame(`⟦a:\n${'- b\n'.repeat(20)}c⟧`)
        .split('\n')
        .slice(3),
    ).toEqual([' 1 | a:', '   | ^^', ' 2 | - b', '   | ^^^', ' … |', '22 | c', '   | ^']);
  });
  test('a span that ends with a line break has marks only on that line', () => {
    expect(frame('⟦ab\n⟧c').split('\n').slice(3)).toEqual(['1 | ab', '  | ^^']);
  });
  test('related places have their own marks and labels', () => {
    const related = [{ span: { start: 0, end: 1 }, message: 'first here' }];
    expect(frame('a: 1\n⟦a⟧: 2', { related }).split('\n').slice(-4)).toEqual([
      '  | ^',
      '  |',
      '1 | a: 1',
      '  | - first here',
    ]);
  });
  test('the lines of a message after the first are indented', () => {
    const message = 'compilation failed: ERROR: <input>:1:1: x\n | a\n | ^';
    expect(frame('⟦a⟧', { message }).split('\n').slice(0, 3)).toEqual([
      'error[AG1012] compilation failed: ERROR: <input>:1:1: x',
      '     | a',
      '     | ^',
    ]);
  });
  test('color is used only on request', () => {
    const { source, diagnostic } = marked('⟦a⟧');
    expect(renderDiagnostic(source, diagnostic, plain)).not.toContain('\u001b');
    expect(renderDiagnostic(source, diagnostic, { ...plain, color: true })).toContain(
      '\u001b[1;31merror[AG1012]\u001b[0m',
    );
  });
});

test('diagnostics are ordered by position', () => {
  const { source, diagnostic } = marked('⟦a⟧\nb');
  const later = { ...diagnostic, code: 'AG2', span: { start: 2, end: 3 } };
  const text = renderText([{ source, diagnostics: [later, diagnostic] }], plain);
  expect(text.indexOf('AG1012')).toBeLessThan(text.indexOf('AG2'));
  expect(text.endsWith('\n')).toBe(true);
  expect(renderText([{ source, diagnostics: [] }], plain)).toBe('');
});

test('JSON counts lines and columns from one and keeps edits', () => {
  const { source, diagnostic } = marked('a: 1\nb: ⟦x⟧\n', {
    fixes: [{ title: 'Write y', edits: [{ span: { start: 8, end: 9 }, newText: 'y' }] }],
  });
  const report = jsonReport([{ source, diagnostics: [diagnostic] }]);
  const range = {
    start: { line: 2, column: 4, offset: 8 },
    end: { line: 2, column: 5, offset: 9 },
  };
  expect(report).toMatchObject({
    version: 1,
    files: [
      {
        file: 'config.yaml',
        diagnostics: [
          {
            code: 'AG1012',
            range,
            fixes: [{ title: 'Write y', edits: [{ range, newText: 'y' }] }],
          },
        ],
      },
    ],
    summary: { files: 1, errors: 1, warnings: 0, information: 0, hints: 0 },
  });
});

describe('SARIF', () => {
  const { source, diagnostic } = marked('a: 1\nb: ⟦x⟧\n', {
    help: 'Fix it.',
    related: [{ span: { start: 0, end: 1 }, message: 'see' }],
    fixes: [{ title: 'Write y', edits: [{ span: { start: 8, end: 9 }, newText: 'y' }] }],
  });
  const warning: Diagnostic = { ...diagnostic, code: 'AG4001', name: 'a-b', severity: 'warning' };
  const log = JSON.parse(
    JSON.stringify(
      sarifLog([{ source, diagnostics: [warning, diagnostic, diagnostic] }], [], {
        hash: (text) => text,
        version: '0.1.0',
        rules: [{ ...diagnostic, summary: 'Two issuers are the same.' }],
      }),
    ),
  );
  test('has what the standard requires', () => {
    expect(log.version).toBe('2.1.0');
    expect(log.runs).toHaveLength(1);
    expect(log.runs[0].tool.driver.name).toBe('AuthGraph');
    for (const result of log.runs[0].results) expect(typeof result.message.text).toBe('string');
  });
  test('has one rule per code, to which every result refers', () => {
    const { rules } = log.runs[0].tool.driver;
    expect(rules.map((rule: { id: string }) => rule.id)).toEqual(['AG1012', 'AG4001']);
    // There is no web site yet: a link would be dead.
    for (const rule of rules) expect(rule).not.toHaveProperty('helpUri');
    for (const result of log.runs[0].results)
      expect(rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(rules[0].shortDescription.text).toBe('Two issuers are the same.');
  });
  test('lines and columns count from one', () => {
    const result = log.runs[0].results[1];
    const region = { startLine: 2, startColumn: 4, endLine: 2, endColumn: 5 };
    expect(result.level).toBe('error');
    expect(result.locations[0].physicalLocation.region).toEqual(region);
    expect(result.fixes[0].artifactChanges[0].replacements[0]).toEqual({
      deletedRegion: region,
      insertedContent: { text: 'y' },
    });
    expect(result.relatedLocations[0].message.text).toBe('see');
  });
  test.each([
    ['a/b c.yaml', 'a/b%20c.yaml'],
    ['/etc/a#b.yaml', 'file:///etc/a%23b.yaml'],
    ['C:\\k8s\\a.yaml', 'file:///C:/k8s/a.yaml'],
    ['..\\a.yaml', '../a.yaml'],
    ['file:///x', 'file:///x'],
    ['-', '-'],
  ])('%s has the URI %s', (path, uri) => {
    expect(sarifUri(path)).toBe(uri);
  });
});

test('GitHub annotations escape characters that would end them', () => {
  const { source, diagnostic } = marked('⟦a⟧', { message: '100%\r\n::error::x', help: 'h' });
  const unusual = sourceFile('a,b:c%.yaml', source.text);
  expect(githubAnnotations([{ source: unusual, diagnostics: [diagnostic] }])).toBe(
    '::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,endColumn=2,title=AG1012 duplicate-issuer-url::100%25%0D%0A::error::x%0Ah\n',
  );
  const { source: long, diagnostic: over } = marked('⟦a\nb⟧', { severity: 'hint' });
  expect(githubAnnotations([{ source: long, diagnostics: [over] }])).toContain(
    '::notice file=config.yaml,line=1,endLine=2,title=',
  );
});
