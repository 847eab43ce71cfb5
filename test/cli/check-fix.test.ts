/** `authgraph check --fix`. */
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { capturedIo, runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A wrong field, whose fix is certain, and a missing prefix, which needs a choice. */
const wrong = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audience: [app]
  claimMappings:
    username: {claim: sub}
`;
const fixed = wrong.replace('audience:', 'audiences:');
const inBlock = (text: string): string =>
  `kind: ConfigMap # kept\ndata:\n  a: |-\n      ${text.trimEnd().replaceAll('\n', '\n      ')}\n\n  b: "x"\n`;
const inString = (text: string): string => `kind: ConfigMap\ndata: {a: ${JSON.stringify(text)}}\n`;
const inFlow = (field: string): string =>
  `kind: ConfigMap\ndata:\n  a: '{"apiVersion": "apiserver.config.k8s.io/v1", "kind":\n    "AuthenticationConfiguration", "jwt": [{"issuer": {"url": "https://it''s.example",\n    "${field}": ["app"]}, "claimMappings": {"username": {"claim": "sub"}}}]}'\n`;

/** The fix for two audiences adds a line. */
const withTwoAudiences = fixed
  .replace('audiences: [app]', 'audiences:\n    - a\n    - b')
  .replace('claim: sub', 'claim: sub, prefix: "i:"');
/** A folded block, in which an empty line is a line end, cannot hold the fix. */
const foldedWithFix = `kind: ConfigMap\ndata:\n  a: >\n    ${withTwoAudiences.trimEnd().replaceAll('\n', '\n\n    ')}\n`;

test.each([
  ['a file', wrong, fixed],
  ['CRLF', wrong.replaceAll('\n', '\r\n'), fixed.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\ufeff${wrong}`, `\ufeff${fixed}`],
  ['a literal block', inBlock(wrong), inBlock(fixed)],
  ['a double-quoted string', inString(wrong), inString(fixed)],
  ['a single-quoted string', inFlow('audience'), inFlow('audiences')],
  [
    'two documents',
    `${inBlock(wrong)}---\n${inString(wrong)}`,
    `${inBlock(fixed)}---\n${inString(fixed)}`,
  ],
])('fixes %s and reports what remains', async (_, before, after) => {
  const { code, stdout, stderr, written } = await runCaptured(['check', '--fix', 'x.yaml'], {
    files: { 'x.yaml': before },
  });
  expect(written.get('x.yaml')).toBe(after);
  expect(code).toBe(1);
  expect(stdout).toContain('prefix');
  expect(stdout).not.toContain('"jwt[0].issuer.audience"');
  expect(stderr).toMatch(/^fixed x\.yaml\n/);
});

describe('without --fix', () => {
  const reportOf = async (text: string) => {
    const { stdout } = await runCaptured(['check', '-o', 'json', 'x.yaml'], {
      files: { 'x.yaml': text },
    });
    const report = JSON.parse(stdout);
    expect(schemaErrors('check.v1', report)).toEqual([]);
    return report;
  };

  test('marks the fixes that it would apply, and counts them', async () => {
    const { stdout, stderr } = await runCaptured(['check', 'x.yaml'], {
      files: { 'x.yaml': wrong },
    });
    expect(stdout).toContain('= fix (applied by --fix): Rename to audiences\n');
    expect(stdout).toContain('= fix: Add prefix: "oidc:"\n');
    expect(stderr).toBe('2 errors in 1 file; 1 of 2 problems can be fixed with --fix\n');
    const report = await reportOf(wrong);
    expect(report.summary.fixable).toBe(1);
    const fixes = report.files[0].diagnostics.flatMap(
      (one: { fixes: readonly { title: string; automatic?: boolean }[] }) =>
        one.fixes.map(({ title, automatic }) => [title, automatic]),
    );
    expect(fixes).toEqual([
      ['Rename to audiences', true],
      ['Add prefix: "oidc:"', undefined],
      ['Add prefix: ""', undefined],
    ]);
  });

  const markedIn = (report: {
    files: readonly {
      diagnostics: readonly { fixes: readonly { title: string; automatic?: true }[] }[];
    }[];
  }) =>
    report.files
      .flatMap(({ diagnostics }) => diagnostics.flatMap(({ fixes }) => fixes))
      .flatMap(({ title, automatic }) => (automatic === true ? [title] : []));

  test('a syntax error hides only the fixes of its own configuration', async () => {
    const broken = wrong.replace('{claim: sub}', '{claim: [sub');
    const text = `${inBlock(wrong)}---\n${inBlock(broken)}`;
    const report = await reportOf(text);
    expect([markedIn(report), report.summary.fixable]).toEqual([['Rename to audiences'], 1]);
    const { written } = await runCaptured(['check', '--fix', 'x.yaml'], {
      files: { 'x.yaml': text },
    });
    expect(written.get('x.yaml')).toBe(`${inBlock(fixed)}---\n${inBlock(broken)}`);
  });

  test('a fix that cannot be written is neither marked nor counted', async () => {
    const text = `${foldedWithFix}---\n${inBlock(wrong)}`;
    const report = await reportOf(text);
    expect([markedIn(report), report.summary.fixable]).toEqual([['Rename to audiences'], 1]);
    const alone = await reportOf(foldedWithFix);
    expect([markedIn(alone), alone.summary.fixable]).toEqual([[], 0]);
  });

  test('marks fixes with a settings file, too', async () => {
    const { stderr, stdout } = await runCaptured(['check', 'x.yaml'], {
      files: { 'x.yaml': wrong, '.authgraph.yaml': 'lints: {AG4031: error}\n' },
    });
    expect(stdout).toContain('= fix (applied by --fix): Rename to audiences\n');
    expect(stderr).toContain('1 of 2 problems can be fixed with --fix');
  });

  test('neither marks nor counts anything with --fix', async () => {
    for (const flags of [['--fix'], ['--fix', '--dry-run']]) {
      const { stdout, stderr } = await runCaptured(['check', ...flags, 'x.yaml'], {
        files: { 'x.yaml': wrong },
      });
      expect(stdout + stderr).not.toContain('applied by');
      expect(stderr).not.toContain('can be fixed');
    }
  });

  test('a mistake in a settings file is not counted', async () => {
    const { stderr } = await runCaptured(['check', 'x.yaml'], {
      files: { 'x.yaml': fixed, '.authgraph.yaml': 'lint: {}\n' },
    });
    expect(stderr).not.toContain('can be fixed');
  });

  const folder = join(import.meta.dirname, '../../docs/diagnostics');
  test.each(readdirSync(folder))('the number of %s is right', async (name) => {
    const page = readFileSync(join(folder, name), 'utf8');
    for (const [, text = ''] of page.matchAll(/^```yaml\n([\s\S]*?)\n```$/gm)) {
      if (!text.includes('AuthenticationConfiguration')) continue;
      const { fixable } = (await reportOf(text)).summary;
      const { written } = await runCaptured(['check', '--fix', 'x.yaml'], {
        files: { 'x.yaml': text },
      });
      expect([text, written.size > 0]).toEqual([text, fixable > 0]);
    }
  });
});

test('does not write a file without certain fixes', async () => {
  const { written, stderr } = await runCaptured(['check', '--fix', 'x.yaml'], {
    files: { 'x.yaml': fixed },
  });
  expect(written.size).toBe(0);
  expect(stderr).not.toContain('fixed');
});

test('does not change what a style of string cannot hold, but everything else', async () => {
  const { code, written, stderr } = await runCaptured(['check', '--fix', 'x.yaml'], {
    files: { 'x.yaml': `${foldedWithFix}---\n${inBlock(wrong)}` },
  });
  expect(code).toBe(2);
  expect(written.get('x.yaml')).toBe(`${foldedWithFix}---\n${inBlock(fixed)}`);
  expect(stderr).toContain(
    'x.yaml: the style of a string cannot hold the fixes of 1 configuration (ConfigMap/a)\n',
  );
  expect(stderr).toContain('; 1 could not be fixed\n');
  const literal = `kind: ConfigMap\ndata:\n  a: |\n    ${withTwoAudiences.trimEnd().replaceAll('\n', '\n    ')}\n`;
  const other = await runCaptured(['check', '--fix', 'x.yaml'], { files: { 'x.yaml': literal } });
  expect(other.code).toBe(0);
  expect(other.written.get('x.yaml')).toContain('\n        audienceMatchPolicy: MatchAny\n');
});

describe('a fix that changes who gets access', () => {
  const text = `${fixed.replace('claim: sub', 'claim: sub, prefix: "i:"')}    groups: {expression: 'claims.roles.split(",")'}\n`;
  const listed = 'not applied: changes who gets access: x.yaml:9:27: AG4001, Append .map(r, r)\n';

  test('is listed, not applied', async () => {
    const files = { 'x.yaml': text };
    const { written, stdout, stderr } = await runCaptured(['check', '--fix', 'x.yaml'], { files });
    expect(written.size).toBe(0);
    expect(stdout).toContain('AG4001');
    expect(stderr).toContain(listed);
    const quiet = await runCaptured(['check', '--fix', '-q', 'x.yaml'], { files });
    expect(quiet.stderr).toBe('');
  });

  test('is listed next to those that are applied', async () => {
    const { written, stderr } = await runCaptured(['check', '--fix', 'x.yaml'], {
      files: { 'x.yaml': text.replace('audiences:', 'audience:') },
    });
    expect(written.get('x.yaml')).toBe(text);
    expect(stderr).toContain(`fixed x.yaml\n${listed}`);
  });
});

describe('a dry run', () => {
  test('has a summary of its own', async () => {
    const files = { 'x.yaml': wrong, 'y.yaml': fixed };
    const args = ['check', '--fix', '--dry-run'];
    const both = await runCaptured([...args, 'x.yaml', 'y.yaml'], { files });
    expect(both.stderr).toContain(
      'fixes for 1 file, not written; with them, 2 errors in 2 files\n',
    );
    const none = await runCaptured([...args, 'y.yaml'], { files });
    expect(none.stderr).toContain('nothing to fix automatically: 1 error in 1 file\n');
  });
  test('prints a diff and writes nothing', async () => {
    const { code, stdout, written } = await runCaptured(['check', '--fix', '--dry-run', 'x.yaml'], {
      files: { 'x.yaml': inBlock(wrong) },
    });
    expect(code).toBe(1);
    expect(written.size).toBe(0);
    expect(stdout).toBe(`--- a/x.yaml
+++ b/x.yaml
@@ -6,7 +6,7 @@
       jwt:
       - issuer:
           url: https://issuer.example
-          audience: [app]
+          audiences: [app]
         claimMappings:
           username: {claim: sub}
 
`);
  });
  test('exits with 0 if there is nothing to do', async () => {
    const text = fixed.replace('claim: sub', 'claim: sub, prefix: "i:"');
    const { code, stdout } = await runCaptured(['check', '--fix', '--dry-run', 'x.yaml'], {
      files: { 'x.yaml': text },
    });
    expect([code, stdout]).toEqual([0, '']);
  });
});

test('prints fixed standard input', async () => {
  const { code, stdout, stderr } = await runCaptured(['check', '--fix', '-'], {
    files: { '-': wrong },
  });
  expect([code, stdout]).toEqual([1, fixed]);
  expect(stderr).toContain('standard-input:8');
});

test.each([
  [['--dry-run', 'x.yaml'], '--dry-run requires --fix'],
  [['--fix', '-', 'x.yaml'], 'standard input must be the only file'],
  [['--fix', '-o', 'json', '-'], '--output json cannot be used'],
  [['--fix', '--dry-run', '-o', 'sarif', 'x.yaml'], '--output sarif cannot be used'],
])('%j is a mistake', async (args, reason) => {
  const { code, stderr } = await runCaptured(['check', ...args], {
    files: { '-': wrong, 'x.yaml': wrong },
  });
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
});

describe('on disk', () => {
  const folder = temporaryFolder();
  const io = nodeIo();
  test('keeps the mode and a symbolic link', async () => {
    const path = folder.write('mode.yaml', wrong);
    chmodSync(path, 0o640);
    const link = join(folder.path, 'link.yaml');
    symlinkSync('mode.yaml', link);
    expect(await io.replaceText(link, wrong, fixed)).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe(fixed);
    expect(statSync(path).mode & 0o7777).toBe(0o640);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });
  test('does not overwrite another change', async () => {
    const path = folder.write('changed.yaml', wrong);
    writeFileSync(path, `${wrong}# edited\n`);
    const failure = await io.replaceText(path, wrong, fixed);
    expect(failure?.reason).toContain('has changed since it was read');
    expect(readFileSync(path, 'utf8')).toBe(`${wrong}# edited\n`);
  });
  test('reports what cannot be replaced', async () => {
    expect((await io.replaceText('/dev/null', '', 'x'))?.reason).toContain('not a regular file');
    expect((await io.replaceText(join(folder.path, 'none'), '', 'x'))?.reason).toContain(
      'no such file',
    );
  });
  test('a file in UTF-16 has no marks, and --fix reports its encoding', async () => {
    const path = folder.write('utf16.yaml', '');
    const bytes = Buffer.from(`\ufeff${wrong}`, 'utf16le');
    writeFileSync(path, bytes);
    const run = async (...args: readonly string[]) => {
      const { io: captured, out } = capturedIo();
      const { readText, replaceText } = io;
      const code = await runCli([...args, path], { ...captured, readText, replaceText });
      return { code, ...out };
    };
    const plain = await run('check', '-o', 'json');
    expect(plain.code).toBe(1);
    expect(JSON.parse(plain.stdout).summary).toMatchObject({ errors: 2, fixable: 0 });
    for (const flags of [['--fix'], ['--fix', '--dry-run']]) {
      const { code, stderr } = await run('check', ...flags);
      expect(code).toBe(2);
      expect(stderr).toContain(
        `error: ${path}: fixes can only be written to a file with the encoding UTF-8\n`,
      );
      expect(stderr).not.toContain('changed');
      expect(stderr).not.toContain('fixed ');
    }
    expect(readFileSync(path)).toEqual(bytes);
  });
  test('leaves no other file', () => {
    expect(readdirSync(folder.path).sort()).toEqual([
      'changed.yaml',
      'link.yaml',
      'mode.yaml',
      'utf16.yaml',
    ]);
  });
});

test('the captured io refuses a replacement of other content', async () => {
  await expect(capturedIo({ files: { x: 'a' } }).io.replaceText('x', 'b', 'c')).rejects.toThrow();
});
