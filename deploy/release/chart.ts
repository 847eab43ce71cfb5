/** The Helm chart, packed by helm; its archive is rewritten, since helm writes the current time into it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { helmProgram } from '../go-programs/helm-program.ts';
import { writeArchive } from './archive.ts';
import type { Release, ReleaseFile } from './release.ts';
import { runProgram } from './run-program.ts';

export const chart = async (release: Release): Promise<readonly ReleaseFile[]> => {
  const { source, scratch, out, version, epoch, report } = release;
  const folder = join(scratch, 'chart');
  mkdirSync(folder, { recursive: true });
  const home = { HOME: folder, HELM_CACHE_HOME: folder };
  const helm = helmProgram();
  const from = join(source, 'deploy/helm/authgraph');
  const stdout = await runProgram(helm, ['package', from, '--destination', folder], { env: home });
  const packed = /saved it to: (.*)/.exec(stdout)?.[1] ?? '';
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  await runProgram('tar', ['-x', '-f', packed, '-C', unpacked]);
  const name = `authgraph-chart-${version}.tgz`;
  await writeArchive(join(out, name), { folder: unpacked, entries: ['authgraph'], epoch });
  const values = join(from, 'ci/webhook-values.yaml');
  await runProgram(helm, ['lint', '--strict', join(out, name), '--values', values], { env: home });
  report(`chart: helm packed and accepts ${name}`);
  return [{ name, part: 'chart', content: 'Helm chart' }];
};
