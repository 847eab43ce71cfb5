/** Builds third-party programs from their Go modules, once per machine. Needs Go. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface GoProgram {
  /** Name of the built file, with the release, so that another release is built again. */
  readonly name: string;
  /** Path of the folder with the `go.mod` that pins it. */
  readonly module: string;
  /** The package to build; default: the folder itself. */
  readonly package?: string;
  /** Values that the linker sets, as arguments of its flag -X. */
  readonly values?: readonly string[];
}

/** Time that building a large one may take. */
export const goBuildMs = 1_200_000;

/** Returns the path of the program; throws if it cannot be built. */
export const goProgram = (wanted: GoProgram): string => {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'authgraph-ci');
  const program = join(folder, wanted.name);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const flags = ['-s', '-w', ...(wanted.values ?? []).flatMap((value) => ['-X', value])].join(' ');
  const source = wanted.package ?? '.';
  execFileSync(
    'go',
    ['build', '-trimpath', '-buildvcs=false', '-ldflags', flags, '-o', program, source],
    {
      cwd: wanted.module,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: goBuildMs,
    },
  );
  return program;
};
