/**
 * The lab: requests that were sent to the real server, sent to ours byte for byte. Status, body,
 * headers and the outcome of the connection must be what was recorded, under either domain.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../engine/src/compile/settings.ts';
import { nodePorts } from '../../engine/src/node/ports.ts';
import { defaultServeOptions } from '../../engine/src/server/options.ts';
import { type RunningServer, startServer } from '../../engine/src/server/server.ts';
import { type Serving, startServing } from '../../engine/src/server/serving.ts';
import { rawExchange } from '../support/raw-exchange.ts';
import { type LabWorld, makeWorld } from './world.ts';

interface LabRequest {
  readonly id: string;
  readonly method?: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body?: string;
}

interface LabAnswer {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: unknown;
}

const table = <T>(name: string): readonly T[] =>
  readFileSync(join(import.meta.dirname, '../conformance/lab', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

const requests = new Map(table<LabRequest>('requests.jsonl').map((row) => [row.id, row]));
const expected = table<LabAnswer>('jwt.expected.jsonl');

let world: LabWorld;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

describe.each(['k8s.io', 'platform.io'] as const)('under %s', (domain) => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-lab-'));
  const ports = nodePorts();
  let server: RunningServer;
  let serving: Serving;

  beforeAll(async () => {
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const start = await startServing({
      configuration: { kind: 'file', path: file('authn.yaml', world.configuration(domain)) },
      settings: { ...defaultSettings, apiDomain: domain },
      ports,
      link: { mode: 'product', jwksRefetch: 'throttled' },
      report: () => {},
    });
    if (start.kind !== 'serving') throw new Error(JSON.stringify(start));
    serving = start.serving;
    await serving.firstTries(AbortSignal.timeout(10_000));
    server = await startServer({
      options: {
        ...defaultServeOptions(),
        bindAddress: '127.0.0.1',
        securePort: 0,
        apiDomain: domain,
        tlsCertFile: file('server.crt', world.server.certificatePem),
        tlsPrivateKeyFile: file('server.key', world.server.privateKeyPem),
      },
      holder: serving.holder,
      ports,
    });
  });
  afterAll(async () => {
    await server?.close(1000);
    await serving?.close();
    await ports.http.close();
    rmSync(folder, { recursive: true });
  });

  test.each(expected)('$id', async (recorded) => {
    const request = requests.get(recorded.id);
    if (request === undefined) throw new Error(`no request ${recorded.id}`);
    const answer = await rawExchange(
      { port: server.port, authorityPem: world.authorityPem },
      requestBytes(request, domain, world.tokens),
    );
    const shown = {
      id: recorded.id,
      status: answer.status,
      headers: Object.fromEntries(
        [...answer.headers].filter(([name]) => comparedHeaders.has(name)),
      ),
      body: bodyData(answer.body),
    };
    expect(normalised(shown)).toEqual(normalised(recorded));
    expect(answer.headers.get('audit-id')).toHaveLength(1);
  });
});

test('every request of the mode is recorded', () => {
  const ids = expected.map(({ id }) => id);
  expect(ids).toEqual([...requests.keys()].filter(isOfMode));
});

const comparedHeaders = new Set([
  'content-type',
  'www-authenticate',
  'cache-control',
  'x-content-type-options',
  'warning',
  'connection',
]);

/** What one JWT authenticator, anonymous conditions and self review decide alone. */
const isOfMode = (id: string): boolean =>
  /^(?:jwt|hdr|anon|shape)-/.test(id) &&
  !/^shape-(?:method-|named)/.test(id) &&
  ![
    'anon-impersonate',
    'anon-post-livez',
    'anon-proxyhdr-livez',
    'hdr-two-bad-first',
    'hdr-two-authorizations',
    'hdr-comma',
    'hdr-quoted',
    'hdr-nonascii',
  ].includes(id);

const requestBytes = (
  request: LabRequest,
  domain: string,
  tokens: ReadonlyMap<string, string>,
): Uint8Array => {
  const fill = (text: string): string =>
    text
      .replace(/\$\{([\w-]+)\}/g, (whole, name: string) => tokens.get(name) ?? whole)
      .replaceAll('@DOMAIN@', domain);
  const { method = 'GET' } = request;
  const headers = request.headers.map((line) =>
    fill(line).replace(/static-one\b/, () => tokens.get('good') ?? ''),
  );
  const body = Buffer.from(fill(request.body ?? ''));
  const hasType = headers.some((line) => line.toLowerCase().startsWith('content-type'));
  const lengths =
    body.length > 0
      ? [`Content-Length: ${body.length}`, ...(hasType ? [] : ['Content-Type: application/json'])]
      : method === 'POST'
        ? ['Content-Length: 0']
        : [];
  const lines = [
    `${method} ${fill(request.path)} HTTP/1.1`,
    'Host: localhost',
    ...headers,
    ...lengths,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
};

const bodyData = (text: string): unknown => {
  try {
    const data: unknown = JSON.parse(text);
    return withoutTimes(data);
  } catch {
    return text;
  }
};

const withoutTimes = (data: unknown): unknown => {
  if (typeof data !== 'object' || data === null || !('metadata' in data)) return data;
  const { creationTimestamp, managedFields, ...metadata } = data.metadata as Record<
    string,
    unknown
  >;
  return { ...data, metadata };
};

/** Both names of the domain are one; times are one. */
const normalised = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replaceAll('platform.io', 'k8s.io')
      .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  );
