/**
 * The real kubectl. `AUTHGRAPH_KUBECTL` names the program; without it, it is built once from its Go
 * modules (`test/heavy/kubectl/go.mod`), which needs Go and takes some minutes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The release that we speak of. */
export const kubectlRelease = 'v1.36.3';

/** Time that building it may take. */
export const kubectlBuildMs = 1_200_000;

/** Path of the program; throws when it can't be had. */
export const kubectlProgram = (): string => {
  const given = process.env.AUTHGRAPH_KUBECTL;
  if (given !== undefined && given !== '') return given;
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'authgraph-ci');
  const program = join(folder, `kubectl-${kubectlRelease}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const flags = `-s -w -X k8s.io/component-base/version.gitVersion=${kubectlRelease}`;
  execFileSync(
    'go',
    ['build', '-trimpath', '-buildvcs=false', '-ldflags', flags, '-o', program, '.'],
    {
      cwd: join(import.meta.dirname, '../heavy/kubectl'),
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: kubectlBuildMs,
    },
  );
  return program;
};
