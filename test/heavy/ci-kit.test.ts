/**
 * The GitHub Action, the job for GitLab and the hook of pre-commit: their scripts are run with the
 * built program, as each of the three runs them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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
  symlinkSync('victim', join(folder, 'out.sarif'));
  const { status, stdout } = runAction(folder, { sarif: 'out.sarif' });
  expect(existsSync(join(folder, 'victim'))).toBe(false);
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

test('the walk through a pull request in docs/ci.md', () => {
  const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
  const [, section = ''] = page.split('## Walk through a pull request');
  const blocks = [...section.matchAll(/^```bash( exit 1)?\n(.*?)^```$/gms)];
  expect(blocks).toHaveLength(5);
  const { path: folder } = temporaryFolder();
  for (const [, fails, script = ''] of blocks) {
    // Each command of a block that fails is run, and the last one must find what it looks for.
    const [first = '', ...others] = script.trimEnd().split('\n');
    const parts = fails === undefined ? [script] : [first, others.join('\n')];
    parts.forEach((part, index) => {
      const { status, stdout, stderr } = bash(part, folder, gitUser);
      expect({ status, stderr }).toEqual({
        status: fails !== undefined && index === 0 ? 1 : 0,
        stderr: '',
      });
      if (fails !== undefined && index === 0) {
        expect(stdout).toContain('"groups":"system:masters"');
        expect(stdout).toMatch(/by `\.\/production\.yaml:\d+:\d+ jwt\[0\]\.claimMappings\.groups/);
        expect(stdout).not.toContain('staging.yaml');
      }
    });
  }
});

const gitUser = {
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  AUTHGRAPH: root,
  GIT_AUTHOR_NAME: 'Jane',
  GIT_AUTHOR_EMAIL: 'jane@example.com',
  GIT_COMMITTER_NAME: 'Jane',
  GIT_COMMITTER_EMAIL: 'jane@example.com',
};

test('the step of the action compares with the base, and refuses an unknown one', () => {
  const folder = folderWith({ 'auth.yaml': good, 'service.yaml': other });
  bash('git init -q -b main && git add . && git commit -qm first', folder, gitUser);
  writeFileSync(join(folder, 'auth.yaml'), good.replace("'keycloak:' + role", 'role'));
  const compare = (base: string) => {
    const step = action.runs.steps.find(({ name }) => name === 'Access difference');
    const inputs = ['diff-fail-on', 'require-proof', 'protected-groups'].map(
      (name) =>
        [
          `AUTHGRAPH_${name.replaceAll('-', '_').toUpperCase()}`,
          action.inputs[name]?.default ?? '',
        ] as const,
    );
    return bash(step?.run ?? '', folder, {
      ...Object.fromEntries(inputs),
      ACTION_FOLDER: root,
      PATHS: '.',
      BASE: base,
      REPORT: 'report.md',
    });
  };
  const { status, stdout } = compare('main');
  expect(status).toBe(1);
  expect(stdout).toContain('**a token can gain system:masters**');
  expect(stdout).not.toContain('service.yaml');
  expect(compare('--output=made')).toMatchObject({ status: 2 });
  expect(compare('gone').stderr).toContain('Git has no commit gone here; fetch it first');
});

/** Runs the script in a repository whose files are changed by a command after the first commit. */
const compareAfter = (
  files: Readonly<Record<string, string>>,
  change: string,
  env: Readonly<Record<string, string>> = {},
) => {
  const folder = folderWith(files);
  const script = `git init -q -b main && git add . && git commit -qm first
${change}
git add . && "$AUTHGRAPH/deploy/ci/access-difference.sh" main report.md`;
  const result = bash(script, folder, {
    ...gitUser,
    GITHUB_ACTIONS: '',
    RISKY: withoutPrefix,
    ...env,
  });
  return { ...result, folder };
};

/** Gives users the roles of their tokens without a prefix. */
const withoutPrefix = good.replace("'keycloak:' + role", 'role');
const escapedKind = withoutPrefix.replace(
  'kind: AuthenticationConfiguration',
  String.raw`kind: "Authentication\u0043onfiguration"`,
);

test('the report compares what authgraph recognizes as a configuration, however it is written', () => {
  const files = { 'auth.yaml': good, 'readme.md': 'a', 'base.yaml': good };
  const none = compareAfter(
    files,
    "echo 'kind: AuthenticationConfiguration in --oidc-issuer-url' > readme.md",
  );
  expect(none).toMatchObject({ status: 0, stdout: 'No configuration was changed.\n' });
  const hidden = compareAfter(files, `printf '%s\\n#%05000000d' "$ESCAPED" 0 > auth.yaml`, {
    ESCAPED: escapedKind,
  });
  expect(hidden.status).toBe(1);
  expect(hidden.stdout).toContain('**a token can gain system:masters**');
});

test('the report compares a file that became a symbolic link, and a file with its old name', () => {
  const files = { 'auth.yaml': good, 'other.yaml': escapedKind };
  const linked = compareAfter(files, 'ln -sf other.yaml auth.yaml');
  expect(linked.status).toBe(1);
  expect(linked.stdout).toContain('### Access difference: `main:./auth.yaml` → `./auth.yaml`');
  expect(linked.stdout).toContain('\n❌ not proved: no one can be in the group `system:masters`\n');
  const renamed = compareAfter(
    { 'auth.yaml': good },
    'git mv auth.yaml new.yaml && printf %s "$RISKY" > new.yaml',
  );
  expect(renamed.status).toBe(1);
  expect(renamed.stdout).toMatch(/:\.\/auth\.yaml` → `\.\/new\.yaml`/);
  // A symbolic link of a revision is the file to which it leads in that revision.
  const link = 'ln -s auth.yaml link.yaml && git add . && git commit -qm link && rm link.yaml';
  const replaced = compareAfter(files, `${link} && cp other.yaml link.yaml`);
  expect(replaced.status).toBe(1);
  expect(replaced.stdout).toMatch(/:\.\/link\.yaml` → `\.\/link\.yaml`/);
});

test('the report names new and removed configurations', () => {
  const added = compareAfter({ 'a.txt': 'a' }, 'printf %s "$RISKY" > $\'a`\\n::error::b.yaml\'');
  expect(added.status).toBe(1);
  expect(added.stdout).toContain("a new configuration\n\n`$'a'\\n::error::b.yaml'`\n");
  expect(added.stdout).toContain('warning[AG4026]');
  const removed = compareAfter({ 'auth.yaml': good }, 'git rm -q auth.yaml');
  expect(removed.status).toBe(0);
  expect(removed.stdout).toContain('a configuration was removed\n\n`auth.yaml`\n');
  const loss = { AUTHGRAPH_DIFF_FAIL_ON: 'gain,lose' };
  expect(compareAfter({ 'auth.yaml': good }, 'git rm -q auth.yaml', loss).status).toBe(1);
  expect(compareAfter({ 'auth.yaml': good }, 'echo "a: [" > auth.yaml').status).toBe(2);
});

test('no file of the repository replaces the base or is overwritten through the report', () => {
  const change = 'printf %s "$RISKY" > auth.yaml';
  const decoy = `${change}; d="$(git rev-parse main):"; mkdir "$d"; cp auth.yaml "$d"`;
  expect(compareAfter({ 'auth.yaml': good }, decoy).status).toBe(2);
  const link = 'ln -s victim report.md && git add . && git commit -qm link';
  const { status, folder } = compareAfter({ 'auth.yaml': good, victim: 'a' }, `${link}; ${change}`);
  expect(status).toBe(1);
  expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('a');
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('system:masters**');
});

test('GitHub finds no workflow command in the output', () => {
  const change = 'printf %s "$RISKY" > auth.yaml';
  const { stdout } = compareAfter({ 'auth.yaml': good }, change, { GITHUB_ACTIONS: 'true' });
  const [, token = ''] = /^::stop-commands::([0-9a-f]{32})\n/.exec(stdout) ?? [];
  expect(token).not.toBe('');
  expect(stdout.endsWith(`\n::${token}::\n`)).toBe(true);
});

test('the script of the GitLab job compares with the target branch', () => {
  const jobs = parse(readFileSync(join(root, 'deploy/ci/gitlab.yml'), 'utf8'));
  const job = jobs['authgraph-access-difference'];
  const folder = folderWith({ 'auth.yaml': good });
  symlinkSync(root, join(folder, job.variables.AUTHGRAPH_FOLDER));
  bash('git init -q -b main && git add auth.yaml && git commit -qm first', folder, gitUser);
  writeFileSync(join(folder, 'auth.yaml'), `${good}\n# A comment.\n`);
  const { status, stdout } = bash(job.script.slice(1).join('\n'), folder, {
    ...gitUser,
    ...Object.fromEntries(
      Object.entries(job.variables).map(([name, value]) => [name, String(value)]),
    ),
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'main',
  });
  expect({ status, proofs: stdout.match(/✅ proved/g)?.length }).toEqual({ status: 0, proofs: 4 });
});

test('the step of the action writes a matrix of the folders, compared with the base', () => {
  const folder = folderWith({ 'clusters/dev.yaml': good, 'clusters/prod.yaml': good });
  bash('git init -q -b main && git add . && git commit -qm first', folder, gitUser);
  symlinkSync('victim', join(folder, 'fleet.md'));
  const step = action.runs.steps.find(({ name }) => name === 'Fleet');
  const run = (inputs: Readonly<Record<string, string>>) =>
    bash(step?.run ?? '', folder, {
      ...gitUser,
      ACTION_FOLDER: root,
      FLEET: 'fleet.md',
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      AUTHGRAPH_FAIL_ON: action.inputs['fail-on']?.default ?? '',
      AUTHGRAPH_DIFF_FAIL_ON: action.inputs['diff-fail-on']?.default ?? '',
      PATHS: 'clusters clusters/dev.yaml',
      ...inputs,
    });
  expect(run({})).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const matrix = readFileSync(join(folder, 'fleet.md'), 'utf8');
  expect(existsSync(join(folder, 'victim'))).toBe(false);
  expect(matrix).toContain('dev.yaml');
  expect(matrix).toContain('prod.yaml');
  expect(readFileSync(join(folder, 'summary'), 'utf8')).toBe(matrix);
  writeFileSync(join(folder, 'clusters/prod.yaml'), withoutPrefix);
  expect(run({ AUTHGRAPH_FAIL_ON: 'error' }).status).toBe(0);
  const compared = { AUTHGRAPH_FAIL_ON: 'error', AUTHGRAPH_BASE: 'main' };
  expect(run(compared).status).toBe(0);
  expect(run({ ...compared, AUTHGRAPH_DIFF_FAIL_ON: 'gain,change' }).status).toBe(1);
  expect(readFileSync(join(folder, 'fleet.md'), 'utf8')).toContain('changed');
  expect(run({ AUTHGRAPH_BASE: '--output=made' }).status).toBe(2);
  // A folder of the change has the name of a revision that was not fetched.
  mkdirSync(join(folder, 'origin/main/clusters'), { recursive: true });
  cpSync(join(folder, 'clusters'), join(folder, 'origin/main/clusters'), { recursive: true });
  expect(run({ ...compared, AUTHGRAPH_BASE: 'origin/main' })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Git has no commit origin/main here'),
  });
  expect(run({ PATHS: 'clusters/dev.yaml' })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('none of the paths is a folder'),
  });
});

test('the script of the GitLab job writes the matrix', () => {
  const job = parse(readFileSync(join(root, 'deploy/ci/gitlab.yml'), 'utf8'))['authgraph-fleet'];
  const folder = folderWith({ 'auth.yaml': risky });
  symlinkSync(root, join(folder, job.variables.AUTHGRAPH_FOLDER));
  bash('git init -q -b main && git add auth.yaml && git commit -qm first', folder, gitUser);
  const { status } = bash(job.script.slice(1).join('\n'), folder, {
    ...gitUser,
    ...Object.fromEntries(
      Object.entries(job.variables).map(([name, value]) => [name, String(value)]),
    ),
    AUTHGRAPH_BASE: 'main',
    AUTHGRAPH_FLEET: 'fleet.md',
  });
  expect(status).toBe(1);
  expect(readFileSync(join(folder, 'fleet.md'), 'utf8')).toContain('auth.yaml');
});
