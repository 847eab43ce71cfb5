/**
 * The GitHub Action, the job for GitLab and the hook of pre-commit: their scripts are run with the
 * built program, as each of the three runs them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const good = readFileSync(join(root, 'samples/jwt/keycloak.yaml'), 'utf8');
const risky = readFileSync(join(root, 'docs/examples/proposed.yaml'), 'utf8');
const broken = readFileSync(join(root, 'docs/examples/mistakes.yaml'), 'utf8');
/** A manifest that mentions what a configuration contains. */
const other =
  '# AuthenticationConfiguration\napiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { args: [--oidc-issuer-url=https://a.example] }\n';

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const { path: folder } = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};

const bash = (script: string, cwd: string, env: Readonly<Record<string, string>>) => {
  const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
};

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly { readonly name: string; readonly run: string }[] };
}

const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

/** Runs the step that checks, with the defaults of its inputs where a test names no others. */
const runAction = (cwd: string, inputs: Readonly<Record<string, string>> = {}) => {
  const value = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? '';
  const script = action.runs.steps.find(({ name }) => name === 'Check')?.run ?? '';
  expect(script).not.toBe('');
  return bash(script, cwd, {
    ACTION_FOLDER: root,
    PATHS: value('paths'),
    TARGET_VERSION: value('target-version'),
    FAIL_ON: value('fail-on'),
    SARIF: value('sarif'),
  });
};

test('the action annotates an error, and writes SARIF', () => {
  const folder = folderWith({ 'a/good.yaml': good, 'b/bad.yaml': broken, 'c/service.yaml': other });
  const { status, stdout } = runAction(folder, { sarif: 'out.sarif' });
  expect(status).toBe(1);
  expect(stdout).toContain('::error file=b/bad.yaml,line=7');
  expect(stdout).not.toContain('service.yaml');
  const log = JSON.parse(readFileSync(join(folder, 'out.sarif'), 'utf8'));
  expect(log.runs[0].results.length).toBeGreaterThan(3);
});

test('the action fails on a warning by default, and accepts a good folder', () => {
  expect(runAction(folderWith({ 'auth.yaml': risky })).status).toBe(1);
  expect(runAction(folderWith({ 'auth.yaml': risky }), { 'fail-on': 'error' }).status).toBe(0);
  expect(runAction(folderWith({ 'auth.yaml': good, 'service.yaml': other })).status).toBe(0);
});

test('the action checks the paths of all lines, and no path is a flag', () => {
  const folder = folderWith({ 'a.yaml': good, 'b.yaml': risky, '--fail-on=error': good });
  expect(runAction(folder, { paths: 'a.yaml\nb.yaml\n' }).status).toBe(1);
  const { status, stdout } = runAction(folder, { paths: '--fail-on=error b.yaml' });
  expect(status).toBe(1);
  expect(stdout).toContain('file=b.yaml');
});

test('the action passes the target version on, and no input is run as a command', () => {
  const folder = folderWith({ 'auth.yaml': good });
  expect(runAction(folder, { 'target-version': '1.30' }).status).toBe(1);
  const hostile = runAction(folder, { paths: 'auth.yaml $(touch made) ; touch made' });
  expect(hostile.status).not.toBe(0);
  expect(spawnSync('ls', [join(folder, 'made')]).status).not.toBe(0);
});

test('the script of the GitLab job checks', () => {
  const job = parse(readFileSync(join(root, 'deploy/ci/gitlab.yml'), 'utf8'))['authgraph-check'];
  const script: string = job.script.slice(1).join('\n');
  const run = (files: Readonly<Record<string, string>>) => {
    const folder = folderWith(files);
    symlinkSync(root, join(folder, job.variables.AUTHGRAPH_FOLDER));
    return bash(script, folder, job.variables);
  };
  expect(run({ 'auth.yaml': risky }).status).toBe(1);
  expect(run({ 'auth.yaml': good, 'service.yaml': other }).status).toBe(0);
});

test('the hook of pre-commit checks the files of a commit that have a configuration', () => {
  const hook = join(root, 'deploy/ci/pre-commit.sh');
  const folder = folderWith({ 'auth.yaml': risky, 'good.yaml': good, 'service.yaml': other });
  const run = (...files: string[]) => spawnSync(hook, files, { cwd: folder, encoding: 'utf8' });
  expect(run('service.yaml').status).toBe(0);
  expect(run('service.yaml', 'good.yaml').status).toBe(0);
  const { status, stdout } = run('service.yaml', 'auth.yaml');
  expect(status).toBe(1);
  expect(stdout).toContain('AG4026');
  const [hooks] = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'));
  expect(
    execFileSync('git', ['ls-files', '-s', hooks.entry], { cwd: root, encoding: 'utf8' }),
  ).toMatch(/^100755 /);
});
