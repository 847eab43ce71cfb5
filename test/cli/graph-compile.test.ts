import { describe, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';

const config = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [app]
  claimMappings:
    username: {expression: claims.sub}
anonymous:
  enabled: true
  conditions: [{path: /livez}]
`;
const files = { 'auth.yaml': config, 'bad.yaml': config.replace('https:', 'http:'), '-': config };

describe('graph', () => {
  test.each([
    [[], /^Behaves as release 1\.\d+; /],
    [
      ['-o', 'text'],
      /jwt\[0\]\.claimMappings\.username: the username is the value of `claims\.sub`\./,
    ],
    [['--output=mermaid'], /^flowchart TD\n/],
    [['--output=dot'], /^digraph authgraph \{\n/],
    [['--output=svg'], /^<svg xmlns=[^>]*role="img"[\s\S]*<\/svg>\n$/],
    [['--output=json'], /^\{\n {2}"graph": \{\n {4}"anonymous"/],
  ])('%j', async (args, text) => {
    const { code, stdout, stderr } = await runCaptured(['graph', ...args, 'auth.yaml'], { files });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(text);
  });
  test.each([
    ['svg', 'Path of a sample: jane → jane · 1 group'],
    [
      'text',
      '✓ jwt[0].claimMappings.username: the username is the value of `claims.sub`. → "jane"',
    ],
    ['mermaid', '  class request,jwt0_0,jwt0_1,jwt0_2 lit'],
  ])('%s with the path of claims', async (format, expected) => {
    const claims = 'iss: https://issuer.example\nsub: jane\n';
    const input = { files: { ...files, 'jane.claims.yaml': claims } };
    const args = ['graph', '-o', format, '--claims', 'jane.claims.yaml', 'auth.yaml'];
    const { code, stdout } = await runCaptured(args, input);
    expect(code).toBe(0);
    expect(stdout).toContain(expected);
  });
  test.each([
    [['-o', 'dot', '--claims', 'x.json', 'auth.yaml'], '--claims cannot be used with --output dot'],
    [['--claims', '-', '-'], 'only one file can be standard input'],
    [['--claims', 'gone.json', 'auth.yaml'], 'gone.json'],
  ])('%j: fails', async (args, expected) => {
    const { code, stderr } = await runCaptured(['graph', ...args], { files });
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });
  test('JSON matches its schema for every part', async () => {
    const full = `${config.slice(0, config.indexOf('  claimMappings'))}  claimValidationRules:
  - {claim: hd, requiredValue: x}
  - {expression: claims.a == 1.5, message: never}
  claimMappings:
    username: {claim: sub, prefix: "i:"}
    groups: {expression: 'dyn(claims.g).filter(x, x != "")'}
    uid: {claim: uid}
    extra: [{key: example.org/k, valueExpression: "'v'"}]
  userValidationRules:
  - {expression: "user.groups.size() < 10u || size(b'x') > 0"}
- issuer: {url: https://b.example, audiences: [app], discoveryURL: https://c.example/d}
  claimMappings:
    username: {expression: "string(claims.n)"}
    groups: {claim: g, prefix: ""}
    uid: {expression: claims.sub}
`;
    const input = { files: { '-': full } };
    const { stdout, stderr } = await runCaptured(['graph', '-o', 'json', '-'], input);
    expect(stderr).toBe('');
    expect(schemaErrors('graph.v1', JSON.parse(stdout))).toEqual([]);
    const artifact = await runCaptured(['compile', '-'], input);
    expect(schemaErrors('artifact.v3', JSON.parse(artifact.stdout))).toEqual([]);
  });
  test('shows an artifact like its source', async () => {
    const { stdout: artifact } = await runCaptured(['compile', 'auth.yaml'], { files });
    const of = async (text: string) =>
      (await runCaptured(['graph', '-o', 'json', '-'], { files: { '-': text } })).stdout;
    expect(await of(artifact)).toBe(await of(config));
  });
  test('prints the errors of a broken file', async () => {
    const { code, stdout, stderr } = await runCaptured(['graph', 'bad.yaml'], { files });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('bad.yaml:5:10');
  });
  test.each([
    [['graph'], 'specify a configuration file, or - for standard input'],
    [['graph', 'a', '-c', 'b'], 'specify the configuration as FILE or with --config, not both'],
    [['graph', 'a', 'b'], 'unexpected argument "b"'],
    [['graph', 'missing'], 'open missing: no such file or directory'],
  ])('%j fails', async (args, words) => {
    const { code, stderr } = await runCaptured(args, { files });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe('compile', () => {
  test('writes the same bytes each time, whatever the name of the file', async () => {
    const one = await runCaptured(['compile', 'auth.yaml', '--out', 'out.json'], { files });
    const other = await runCaptured(['compile', '-', '--out', '-'], { files });
    expect(one.code).toBe(0);
    expect(one.written.get('out.json')).toBe(other.stdout);
    expect(one.stderr).toMatch(/^wrote out\.json: graph sha256:[0-9a-f]{64}\n$/);
    expect(JSON.parse(other.stdout)).toMatchObject({ artifact: 'authgraph', schemaVersion: 3 });
  });
  test('a comment changes the hash of the source, not that of the graph', async () => {
    const hashes = async (text: string) => {
      const { stdout } = await runCaptured(['compile', '-'], { files: { '-': text } });
      return JSON.parse(stdout);
    };
    const [one, other] = [await hashes(config), await hashes(`# hello\n${config}`)];
    expect(one.graphHash).toBe(other.graphHash);
    expect(one.sourceHash).not.toBe(other.sourceHash);
  });
  test('the release is part of the graph', async () => {
    const { stdout } = await runCaptured(['compile', '--target-version', '1.35', '-'], { files });
    expect(JSON.parse(stdout).graph.targetRelease).toBe(35);
  });
  test('writes no artifact for a broken file', async () => {
    const { code, written } = await runCaptured(['compile', 'bad.yaml', '--out', 'x'], { files });
    expect(code).toBe(1);
    expect(written.size).toBe(0);
  });
  test('does not compile an artifact again', async () => {
    const { stdout } = await runCaptured(['compile', '-'], { files });
    const again = await runCaptured(['compile', '-'], { files: { '-': stdout } });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('is already an artifact');
  });
  test('rejects an artifact of a newer program with a clear message', async () => {
    const { stdout } = await runCaptured(['compile', '-'], { files });
    const newer = stdout.replace('"schemaVersion":3', '"schemaVersion":4');
    const { code, stderr } = await runCaptured(['graph', 'a.json'], { files: { 'a.json': newer } });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'a.json: the artifact has schema version 4, this program reads 3; update',
    );
  });
});
