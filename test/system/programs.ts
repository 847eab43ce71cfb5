/** The programs of these tests: kubeconform is built once per machine, promtool comes from Debian. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { goProgram } from '../../deploy/go-programs/go-program.ts';

/** Returns the path of kubeconform; throws if it cannot be built. */
export const kubeconformProgram = (): string =>
  goProgram({
    name: 'kubeconform-v0.8.0',
    module: join(import.meta.dirname, 'kubeconform'),
    package: 'github.com/yannh/kubeconform/cmd/kubeconform',
  });

/**
 * Returns the path of promtool, from Debian's package `prometheus`, which is unpacked into the cache and not installed:
 * an installation would start Prometheus. Throws if the package cannot be downloaded.
 */
export const promtoolProgram = (): string => {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-ci');
  const program = join(cache, 'promtool-debian');
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'prometheus-'));
  const run = (name: string, ...args: readonly string[]) =>
    execFileSync(name, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const download = () =>
    run('apt-get', 'download', '-q', '-o', 'APT::Sandbox::User=root', 'prometheus');
  try {
    download();
  } catch {
    // The lists of the machine are missing or too old.
    run('apt-get', 'update', '-q');
    download();
  }
  const [archive = ''] = readdirSync(folder);
  run('dpkg-deb', '--extract', archive, '.');
  renameSync(join(folder, 'usr/bin/promtool'), program);
  rmSync(folder, { recursive: true });
  return program;
};
