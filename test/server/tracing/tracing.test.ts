/** Traces and metrics of a server with all authenticators, as an OTLP receiver gets them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import { type WholeServer, wholeServer } from '../../support/whole-server.ts';

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const body = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';

let receiver: OtlpReceiver;
let server: WholeServer;
const secrets = new Map<string, string>();
/** A trace for each kind of request. */
const traces = {
  jwt: '11111111111111111111111111111111',
  webhook: '22222222222222222222222222222222',
  impersonated: '33333333333333333333333333333333',
  rejected: '44444444444444444444444444444444',
};
const caller = '00000000000000aa';

beforeAll(async () => {
  receiver = await otlpReceiver();
  server = await wholeServer({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=authgraph-under-test',
      // Only the requests of callers that sample are recorded.
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    },
  });
  for (const [what, secret] of server.secrets) secrets.set(what, secret);
  const ask = async (trace: string, token: string, headers: readonly string[] = []) => {
    const parent = ['traceparent', `00-${trace}-${caller}-01`];
    const sent = [...parent, 'Authorization', `Bearer ${token}`, ...headers];
    const json = ['Content-Type', 'application/json'];
    const path = `${review}?secret=canary-of-the-query`;
    return (await server.ask({ method: 'POST', path, headers: [...sent, ...json], body })).status;
  };
  const jwt = await server.tokens.jwt({ groups: ['canary-group'], other: 'canary-claim' });
  secrets.set('claims of the JWT', jwt.split('.')[1] ?? '').set('group', 'canary-group');
  secrets.set('claim', 'canary-claim').set('query', 'canary-of-the-query').set('username', 'jane');
  expect(await ask(traces.jwt, jwt)).toBe(201);
  expect(await ask(traces.webhook, server.tokens.webhook)).toBe(201);
  const impersonate = ['Impersonate-User', 'canary-user'];
  secrets.set('impersonated user', 'canary-user');
  expect(await ask(traces.impersonated, server.tokens.admin, impersonate)).toBe(201);
  expect(await ask(traces.rejected, 'no-token-of-anyone')).toBe(401);
  // Not sampled.
  expect((await server.ask({ path: '/livez' })).status).toBe(200);
  expect(await server.end('SIGTERM')).toBe(0);
}, 60_000);

afterAll(async () => {
  await server?.close();
  await receiver?.close();
});

/** Returns the spans of a trace as `parent > child` names. */
const treeOf = (trace: string): readonly string[] => {
  const spans = receiver.spans.filter(({ traceId }) => traceId === trace);
  const nameOf = (id: string): string => spans.find(({ spanId }) => spanId === id)?.name ?? id;
  return spans.map(({ parentId, name }) => `${nameOf(parentId)} > ${name}`).sort();
};

const spanOf = (trace: string, name: string): ReceivedSpan | undefined =>
  receiver.spans.find((span) => span.traceId === trace && span.name === name);

test('a token of an issuer: the request, its authenticators, and the fetch of the keys', () => {
  expect(treeOf(traces.jwt)).toEqual(
    [
      `${caller} > HTTP POST`,
      'HTTP POST > authentication',
      'HTTP POST > authorization',
      ...['static-token', 'legacy-service-account-token', 'service-account-token'].map(
        (id) => `authentication > authenticator ${id}`,
      ),
      'authentication > authenticator bootstrap-token',
      'authentication > authenticator jwt',
      'authenticator jwt > GET key set',
    ].sort(),
  );
  expect(spanOf(traces.jwt, 'HTTP POST')).toMatchObject({
    service: 'authgraph-under-test',
    kind: 2,
    status: 0,
    attributes: {
      'http.request.method': 'POST',
      'url.path': review,
      'http.response.status_code': 201,
    },
  });
  expect(spanOf(traces.jwt, 'authentication')?.attributes).toEqual({
    'authgraph.decision': 'accepted',
    'authgraph.module': 'jwt',
  });
  expect(spanOf(traces.jwt, 'GET key set')).toMatchObject({
    kind: 3,
    attributes: { 'url.full': `${server.issuerUrl}/keys`, 'http.response.status_code': 200 },
  });
});

test('the webhook receives the trace context of its span', () => {
  const span = spanOf(traces.webhook, 'POST webhook');
  expect(treeOf(traces.webhook)).toContain('authenticator webhook-token > POST webhook');
  const sent = server.webhookRequests.map(({ headers }) => headers.traceparent);
  expect(sent).toContain(`00-${traces.webhook}-${span?.spanId}-01`);
  expect(span?.attributes).toMatchObject({ 'http.request.method': 'POST' });
});

test('impersonation is a span with the authorizations below it', () => {
  const tree = treeOf(traces.impersonated);
  expect(tree).toContain('HTTP POST > impersonation');
  expect(tree).toContain('impersonation > authorization');
  expect(tree).toContain('HTTP POST > authorization');
  expect(spanOf(traces.impersonated, 'impersonation')?.attributes).toEqual({
    'authgraph.allowed': true,
  });
});

test('a rejection has its code', () => {
  expect(spanOf(traces.rejected, 'authentication')?.attributes).toMatchObject({
    'authgraph.decision': 'rejected',
    'authgraph.code': expect.stringMatching(/^AG5\d\d\d$/),
  });
  expect(spanOf(traces.rejected, 'HTTP POST')?.attributes).toMatchObject({
    'http.response.status_code': 401,
  });
});

test('only sampled requests are recorded', () => {
  const known = new Set<string>(Object.values(traces));
  expect(receiver.spans.filter(({ traceId }) => !known.has(traceId))).toEqual([]);
});

test('metrics have the names and labels of the page', () => {
  const attempts = receiver.metrics.get('authentication_attempts')?.points ?? [];
  const success = attempts.find(({ attributes }) => attributes.result === 'success');
  expect(success?.value).toBeGreaterThanOrEqual(3);
  expect(receiver.metrics.get('authentication_duration_seconds')?.points.length).toBeGreaterThan(0);
  const config = 'apiserver_authentication_config_controller_last_config_info';
  expect(receiver.metrics.get(config)?.points).toEqual([
    { value: 1, attributes: expect.objectContaining({ hash: expect.stringMatching(/^sha256:/) }) },
  ]);
});

describe('nothing that was exported contains', () => {
  test('a secret, a claim, a name or a query', () => {
    const bytes = receiver.bytes();
    expect(bytes.length).toBeGreaterThan(1_000);
    const found = [...secrets].filter(([, secret]) => bytes.includes(secret));
    expect(found.map(([what]) => what)).toEqual([]);
  });
});
