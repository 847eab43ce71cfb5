/**
 * Sends requests continuously while the configuration changes: none fails, and none sees a mixture.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDemo } from '../../../engine/src/server/demo/demo.ts';
import { demoFilePaths } from '../../../engine/src/server/demo/demo-files.ts';
import { authenticatedUser } from '../../support/https-request.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const edits = 8;
const clients = 4;

test('no request fails during a reload, and each is decided by one graph', async () => {
  const { path: folder } = temporaryFolder(onTestFinished);
  const configuration = join(folder, 'authentication.yaml');
  const sample = readFileSync(
    join(import.meta.dirname, '../../../samples/demo/authentication.yaml'),
    'utf8',
  );
  // Name and groups contain the number of the edit, so a mixture would be visible.
  const edited = (number: number) => sample.replaceAll('"team:"', `"team${number}:"`);
  writeFileSync(configuration, edited(0));
  let reloaded: () => void = () => {};
  const start = await startDemo({
    configuration,
    shownConfiguration: configuration,
    port: 0,
    onEvent: (event) => {
      if (event.kind === 'answers') reloaded();
    },
  });
  if (start.kind !== 'demo') throw new Error('no demo');
  const { demo } = start;
  const paths = demoFilePaths(demo.facts.folder);
  const agent = new Agent({ keepAlive: true });
  const authority = readFileSync(paths.certificateAuthority, 'utf8');
  const token = readFileSync(paths.token('ada'), 'utf8');
  const port = Number(new URL(demo.facts.url).port);
  const whoami = async (): Promise<readonly [number, readonly string[]]> => {
    const user = await authenticatedUser({ port, agent, authority, token });
    if (typeof user === 'number') return [user, []];
    const { username, groups } = user as { username: string; groups: readonly string[] };
    const numbers = [username, ...groups].flatMap((name) => /^team(\d+):/.exec(name)?.[1] ?? []);
    return [201, numbers];
  };

  let done = false;
  let count = 0;
  const strange: unknown[] = [];
  const seen = new Set<string>();
  const client = async () => {
    while (!done) {
      const [status, numbers] = await whoami();
      count += 1;
      const distinct = new Set(numbers);
      if (status !== 201 || distinct.size !== 1) strange.push([status, numbers]);
      for (const number of distinct) seen.add(number);
    }
  };
  const running = Array.from({ length: clients }, client);
  for (let number = 1; number <= edits; number += 1) {
    const next = new Promise<void>((resolve) => {
      reloaded = resolve;
    });
    writeFileSync(configuration, edited(number));
    await next;
  }
  done = true;
  await Promise.all(running);
  expect(strange).toEqual([]);
  expect(seen.size).toBeGreaterThan(edits / 2);
  expect(count).toBeGreaterThan(edits * clients);
  agent.destroy();
  await demo.close();
});
