/** The packages of the site are installed by several processes at the same time. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();

/** Writes a file of the package in two steps, and ends once two processes have come that far. */
const npm = `#!/bin/sh
mkdir -p node_modules/linkinator
printf 'export const half = ' >> node_modules/linkinator/index.js
pwd >> "$STARTED"
for _ in $(seq 600); do
  [ "$(wc -l < "$STARTED")" -ge 2 ] && break
  sleep 0.1
done
printf '1;' >> node_modules/linkinator/index.js
`;

test('each process installs in a folder of its own, and all use the one that is complete', async () => {
  mkdirSync(join(folder, 'bin'));
  chmodSync(write('bin/npm', npm), 0o700);
  const started = join(folder, 'started');
  const tools = join(import.meta.dirname, '../../docs/site/tools.ts');
  const code = `
    import { readFileSync } from 'node:fs';
    import { installSiteTools, toolsFolder } from ${JSON.stringify(tools)};
    installSiteTools();
    console.log(readFileSync(toolsFolder + '/node_modules/linkinator/index.js', 'utf8'));`;
  const environment = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    AUTHGRAPH_SITE_TOOLS: join(folder, 'site'),
    STARTED: started,
  };
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
      env: environment,
    });
  const outputs = (await Promise.all([run(), run()])).map(({ stdout }) => stdout);
  expect(outputs).toEqual(Array(2).fill('export const half = 1;\n'));
  expect(new Set(readFileSync(started, 'utf8').trim().split('\n')).size).toBe(2);
  expect(readdirSync(join(folder, 'site'))).toHaveLength(1);
  await run();
  expect(readFileSync(started, 'utf8').trim().split('\n')).toHaveLength(2);
}, 120_000);
