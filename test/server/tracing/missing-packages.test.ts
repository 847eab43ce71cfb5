/** A server without the optional packages of OpenTelemetry. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';

const main = join(import.meta.dirname, '../../../engine/src/cli/main.ts');

/** Resolves packages as if they were not installed. */
const hidden = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/sdk')) return next(specifier, context);
    throw new Error("Cannot find package '" + specifier + "'");
  },
});`;

test('reports the packages to install, and does not start', async () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=source',
      ...['--import', `data:text/javascript,${encodeURIComponent(hidden)}`, main],
      ...['serve', '--bind-address=127.0.0.1', `--secure-port=${await freePort()}`],
      '--enable-bootstrap-token-auth',
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    },
  );
  const [error = '', help = ''] = stderr.split('\n');
  expect(status).toBe(2);
  expect(error).toMatch(/^error: OTEL_EXPORTER_OTLP_ENDPOINT is set, but .*'@opentelemetry\/sdk-/);
  expect(help).toContain('npm install @opentelemetry/api @opentelemetry/core ');
}, 60_000);
