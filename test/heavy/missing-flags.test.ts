/** Every flag of kube-apiserver is one of `serve`, or in the list of flags that `serve` lacks. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { missingFlags } from '../../engine/src/server/flags/missing-flags.ts';
import { serveFlags } from '../../engine/src/server/flags/serve-flags.ts';
import { kubeApiserverProgram } from '../support/kube-apiserver.ts';

test('the list of missing flags is that of kube-apiserver', () => {
  const help = execFileSync(kubeApiserverProgram(), ['--help'], { encoding: 'utf8' });
  const flags = Array.from(help.matchAll(/^ +(?:-\w, )?--([a-z0-9-]+)/gm), ([, name = '']) => name);
  expect(flags.length).toBeGreaterThan(150);
  const own = new Set(['help', ...serveFlags.map(({ name }) => name)]);
  expect(flags.filter((name) => !own.has(name) && !missingFlags.includes(name))).toEqual([]);
  expect(missingFlags.filter((name) => own.has(name) || !flags.includes(name))).toEqual([]);
});
