/** The pages about running the server name existing flags, files and messages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveFlags } from '../../engine/src/server/flags/serve-flags.ts';
import { explainMessage } from '../../engine/src/simulate/explain/explain-message.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/running');
const flags = new Set(serveFlags.map(({ name }) => name));

/** Flags of other programs in their own commands: kube-apiserver, curl, kubectl, helm, docker, skopeo, deploy/image. */
const ofOthers = new Set([
  'cacert',
  'cert',
  'key',
  'server',
  'certificate-authority',
  'kubeconfig',
  'disable-sigusr',
  'all',
  'check',
  'create-namespace',
  'data',
  'from-file',
  'header',
  'namespace',
  'now',
  'publish',
  'read-only',
  'user',
  'values',
  'volume',
]);

describe.each(readdirSync(folder))('%s', (name) => {
  const page = readFileSync(join(folder, name), 'utf8');

  test('its flags', () => {
    const named = [...page.matchAll(/--([a-z][a-z-]+)/g)].map(([, flag = '']) => flag);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((flag) => !flags.has(flag) && !ofOthers.has(flag))).toEqual([]);
  });

  test('its messages', () => {
    for (const [, message = ''] of page.matchAll(/^authgraph explain '(.*)'$/gm))
      expect(explainMessage(message), message).toBeDefined();
  });

  test('is in the list of pages', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`(docs/running/${name})`);
  });
});
