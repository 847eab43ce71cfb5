/** `authgraph test samples`: every suite passes in a clone, and each configuration of `jwt/` has one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { providers } from '../../engine/src/providers/registry.ts';
import { capturedIo } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';

const samples = join(import.meta.dirname, '../../samples');

test('every suite passes', async () => {
  const { io, out } = capturedIo();
  const { readText, listFolder } = nodeIo();
  const code = await runCli(['test', samples, '-o', 'json'], { ...io, readText, listFolder });
  const data = JSON.parse(out.stdout);
  expect(schemaErrors('test.v1', data)).toEqual([]);
  expect(data.broken).toEqual([]);
  expect(code).toBe(0);
  expect(data.summary.failed).toBe(0);
  const suites = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.authtest.yaml'),
  );
  expect(data.files.length).toBe(suites.length);
  for (const { id } of providers) expect(suites).toContain(`jwt/${id}.authtest.yaml`);
});
