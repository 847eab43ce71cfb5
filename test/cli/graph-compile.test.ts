import { describe, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';

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
    [[], /^Behaves as release 1\.37/],
    [
      ['-f', 'text'],
      /jwt\[0\]\.claimMappings\.username: the username is the value of `claims\.sub`\./,
    ],
    [['--format=mermaid'], /^flowchart TD\n/],
    [['--format=dot'], /^digraph authgraph \{\n/],
    [['--format=json'], /^\{\n {2}"graph": \{\n {4}"anonymous"/],
  ])('%j', async (args, text) => {
    const { code, stdout, stderr } = await runCaptured(['graph', ...args, 'auth.yaml'], { files });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(text);
  });
  test('of an artefact is that of its text', async () => {
    const { stdout: artefact } = await runCaptured(['compile', 'auth.yaml'], { files });
    const of = async (text: string) =>
      (await runCaptured(['graph', '-f', 'json', '-'], { files: { '-': text } })).stdout;
    expect(await of(artefact)).toBe(await of(config));
  });
  test('of a broken file is its errors', async () => {
    const { code, stdout, stderr } = await runCaptured(['graph', 'bad.yaml'], { files });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('bad.yaml:5:10');
  });
  test.each([
    [['graph'], 'name a configuration file or an artefact'],
    [['graph', 'a', 'b'], 'unexpected argument "b"'],
    [['graph', 'missing'], 'open missing: no such file or directory'],
  ])('%j could not be done', async (args, words) => {
    const { code, stderr } = await runCaptured(args, { files });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe('compile', () => {
  test('writes the same bytes each time, whatever the name of the file', async () => {
    const one = await runCaptured(['compile', 'auth.yaml', '-o', 'out.json'], { files });
    const other = await runCaptured(['compile', '-', '--output', '-'], { files });
    expect(one.code).toBe(0);
    expect(one.written.get('out.json')).toBe(other.stdout);
    expect(one.stderr).toMatch(/^wrote out\.json: graph sha256:[0-9a-f]{64}\n$/);
    expect(JSON.parse(other.stdout)).toMatchObject({ artifact: 'authgraph', schemaVersion: 1 });
  });
  test('a comment changes the hash of the text, not that of the graph', async () => {
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
  test('a broken file gives no artefact', async () => {
    const { code, written } = await runCaptured(['compile', 'bad.yaml', '-o', 'x'], { files });
    expect(code).toBe(1);
    expect(written.size).toBe(0);
  });
  test('an artefact is not compiled again', async () => {
    const { stdout } = await runCaptured(['compile', '-'], { files });
    const again = await runCaptured(['compile', '-'], { files: { '-': stdout } });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('is an artefact already');
  });
  test('an artefact of a newer program is refused in plain words', async () => {
    const { stdout } = await runCaptured(['compile', '-'], { files });
    const newer = stdout.replace('"schemaVersion":1', '"schemaVersion":2');
    const { code, stderr } = await runCaptured(['graph', 'a.json'], { files: { 'a.json': newer } });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'a.json: the artefact has schema version 2, this program reads 1; update',
    );
  });
});
