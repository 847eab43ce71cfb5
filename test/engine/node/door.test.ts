/** The public entry points of the package are sufficient to run a server. */
import { defaultSettings } from '@authgraph/engine';
import { defaultServeOptions, nodePorts, startServer, startServing } from '@authgraph/engine/node';
import { expect, test } from 'vitest';
import { sendHttps } from '../../support/https-request.ts';

const text = `apiVersion: apiserver.config.platform.io/v1
kind: AuthenticationConfiguration
anonymous:
  enabled: true
  conditions:
  - path: /livez
`;

test('starts a server, sends a request and stops it', async () => {
  const ports = nodePorts();
  const start = await startServing({
    configuration: { kind: 'text', name: 'inline.yaml', text },
    settings: defaultSettings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled' },
    report: () => {},
  });
  if (start.kind !== 'serving') throw new Error('not served');
  const server = await startServer({
    options: { ...defaultServeOptions(), bindAddress: '127.0.0.1', securePort: 0 },
    holder: start.serving.holder,
    ports,
  });
  const { status } = await sendHttps({
    port: server.port,
    path: '/livez',
    authority: server.authorityPem ?? '',
  });
  expect(status).toBe(200);
  await server.close(0);
  await start.serving.close();
  await ports.http.close();
});

test('rejects a malformed configuration with its diagnostics', async () => {
  const start = await startServing({
    configuration: { kind: 'text', name: 'inline.yaml', text: `${text}bogus: 1\n` },
    settings: defaultSettings,
    ports: nodePorts(),
    link: { mode: 'product', jwksRefetch: 'throttled' },
    report: () => {},
  });
  if (start.kind !== 'refused') throw new Error('not refused');
  const errors = start.diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ name }) => name)).toEqual(['unknown-field']);
});
