import { expect, test } from 'vitest';
import { fakePorts, settle } from '../../support/fake-ports.ts';
import { ask, jwtNode, linkNodes, nameOrReason, testIssuer } from '../../support/test-issuer.ts';

const frame = 'oidc: authenticator for issuer "https://issuer.example.com" is not healthy: ';

test.each([
  [{ status: 500, body: 'oops' }, '500 Internal Server Error: oops'],
  [{ body: '{' }, 'got Content-Type = application/json, but could not unmarshal as JSON'],
  [{ body: '<p>', contentType: 'text/html' }, 'expected Content-Type = application/json'],
  [
    { body: '{"issuer":"https://other.example.com","jwks_uri":"https://x/j"}' },
    'oidc: issuer did not match the issuer returned by provider, expected "https://issuer.example.com" got "https://other.example.com"',
  ],
  [{ body: '{"issuer":"https://issuer.example.com"}' }, 'provider did not return JWKS URL'],
  [
    { body: '{"issuer":5}' },
    'json: cannot unmarshal number into Go struct field providerJSON.issuer of type string',
  ],
])('an invalid document %j is reported and requested again', async (page, reason) => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  ports.http.publish(`${issuer.url}/.well-known/openid-configuration`, page);
  const linked = await linkNodes([jwtNode(issuer)], ports);
  const [readiness] = linked.readiness();
  expect(readiness).toMatchObject({ id: 'jwt[0]', isReady: false });
  expect(readiness?.reason).toContain(frame);
  expect(readiness?.reason).toContain(reason);
  expect(nameOrReason(await ask(linked, await issuer.token()))).toBe(
    'rejected oidc: authenticator not initialized',
  );
  issuer.publish(ports.http);
  ports.clock.advance(9_999);
  await settle();
  expect(linked.readiness()[0]?.isReady).toBe(false);
  ports.clock.advance(1);
  await settle();
  expect(linked.readiness()).toEqual([{ id: 'jwt[0]', isReady: true }]);
  expect(nameOrReason(await ask(linked, await issuer.token()))).toBe('accepted jane');
});

test('a valid document is never requested again', async () => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  issuer.publish(ports.http);
  await linkNodes([jwtNode(issuer)], ports);
  ports.clock.advance(86_400_000);
  await settle();
  expect(ports.http.asked).toHaveLength(1);
});

test('nothing is requested after close', async () => {
  const ports = fakePorts();
  const linked = await linkNodes([jwtNode(await testIssuer())], ports);
  await linked.close();
  ports.clock.advance(60_000);
  await settle();
  expect(ports.http.asked).toHaveLength(1);
});

test('an issuer is not initialized before its first attempt ends', async () => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  issuer.publish(ports.http);
  const held = ports.http.hold();
  const linking = linkNodes([jwtNode(issuer)], ports);
  await settle();
  held.release();
  expect((await linking).readiness()).toEqual([{ id: 'jwt[0]', isReady: true }]);
});

test('an issuer that is down does not affect the others', async () => {
  const up = await testIssuer('https://up.example.com');
  const down = await testIssuer('https://down.example.com');
  const ports = fakePorts();
  up.publish(ports.http);
  const nodes = [jwtNode(down), jwtNode(up, { id: 'jwt[1]' })];
  const linked = await linkNodes(nodes, ports);
  expect(linked.readiness().map(({ isReady }) => isReady)).toEqual([false, true]);
  expect(nameOrReason(await ask(linked, await up.token()))).toBe('accepted jane');
  expect(nameOrReason(await ask(linked, await down.token()))).toContain('not initialized');
});
