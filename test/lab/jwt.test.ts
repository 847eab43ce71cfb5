/**
 * The lab: requests that were sent to kube-apiserver are sent to AuthGraph byte for byte. Status,
 * body, headers and the end of the connection must match the recording, under either API domain.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConfiguredServer, startConfiguredServer } from '../support/configured-server.ts';
import { rawExchange } from '../support/raw-exchange.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type LabAnswer,
  type LabRequest,
  labRequests,
  labTable,
  normalized,
  requestBytes,
  shownAnswer,
} from './exchange.ts';
import { type LabEnvironment, makeLabEnvironment } from './lab-environment.ts';

const requests = labRequests();
const expected = labTable<LabAnswer>('jwt.expected.jsonl');

let environment: LabEnvironment;
beforeAll(async () => {
  environment = await makeLabEnvironment();
});
afterAll(() => environment.close());

describe.each(['k8s.io', 'platform.io'] as const)('under %s', (domain) => {
  const { write: file } = temporaryFolder();
  let server: ConfiguredServer;

  beforeAll(async () => {
    server = await startConfiguredServer(environment.configuration(domain), {
      apiDomain: domain,
      tlsCertFile: file('server.crt', environment.server.certificatePem),
      tlsPrivateKeyFile: file('server.key', environment.server.privateKeyPem),
    });
  });
  afterAll(() => server?.close());

  test.each(expected)('$id', async (recorded) => {
    const request = requests.get(recorded.id);
    if (request === undefined) throw new Error(`no request ${recorded.id}`);
    const answer = await rawExchange(
      { port: server.port, authorityPem: environment.authorityPem },
      requestBytes(withJwt(request), domain, environment.tokens),
    );
    expect(normalized(shownAnswer(recorded.id, answer))).toEqual(normalized(recorded));
    expect(answer.headers.get('audit-id')).toHaveLength(1);
  });
});

test('has a recording of every request of the mode', () => {
  const ids = expected.map(({ id }) => id);
  expect(ids).toEqual([...requests.keys()].filter(isOfMode));
});

/** Replaces the static token of the requests with a valid JWT. */
const withJwt = (request: LabRequest): LabRequest => ({
  ...request,
  headers: request.headers.map((line) => line.replace(/static-one\b/, `$${'{good}'}`)),
});

/**
 * True for requests that a JWT authenticator, anonymous conditions and self-subject reviews decide
 * alone.
 */
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
