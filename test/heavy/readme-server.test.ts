/** The server of README.md: its two blocks are run in a copy of the samples, as Git checks them out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { runProgram } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const [, section = ''] = readFileSync(join(root, 'README.md'), 'utf8').split(
  '**3. Run the server.**',
);
const [, serve = '', , ask = ''] = section.split(/^```\n/m);

/** Stops the shell with everything that it started. */
const stopGroup = (child: ChildProcess): void => {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
};

test(
  'it starts without a warning about the file, and kubectl shows carol',
  async () => {
    const { path: folder, write } = temporaryFolder(onTestFinished);
    const sample = 'samples/static-token';
    cpSync(join(root, sample), join(folder, sample), { recursive: true });
    write('package.json', '{}');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync(kubectlProgram(), join(folder, 'bin/kubectl'));
    // The port of the README may be in use.
    const port = await freePort();
    const kubeconfig = readFileSync(join(root, sample, 'carol.kubeconfig'), 'utf8');
    write(`${sample}/carol.kubeconfig`, kubeconfig.replace('127.0.0.1:6443', `127.0.0.1:${port}`));
    const child = spawn('sh', ['-euc', `${serve.trim()} --secure-port ${port}`], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => stopGroup(child));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    await vi.waitFor(() => expect(output).toContain('static tokens in'), { timeout: 60_000 });
    expect(output).toContain(' serves ');
    const { stdout, stderr } = await runProgram(
      'sh',
      ['-euc', `PATH=${folder}/bin:$PATH; ${ask}`],
      { folder },
    );
    expect(stdout, stderr).toMatch(/^Username +carol$/m);
    expect(output).not.toContain('contains secrets');
  },
  kubectlBuildMs,
);
