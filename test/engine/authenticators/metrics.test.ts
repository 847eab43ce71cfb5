import { expect, test } from 'vitest';
import { metricCatalog } from '../../../engine/src/model/metric-catalog.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import { ask, jwtNode, linkNodes, testIssuer } from '../../support/test-issuer.ts';

const prefix = 'apiserver_authentication_jwt_authenticator';

test('decisions and fetches are counted with kube-apiserver’s names and digests as labels', async () => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  issuer.publish(ports.http);
  const linked = await linkNodes([jwtNode(issuer)], ports);
  await ask(linked, await issuer.token());
  await ask(linked, await issuer.token({ exp: 1 }));
  await ask(linked, 'not mine');
  const counted = [...ports.counted.keys()];
  const hash = `"jwt_issuer_hash":"sha256:${ports.digest.sha256Hex(issuer.url)}"`;
  expect(counted).toContain(`${prefix}_latency_seconds{"result":"success",${hash}}`);
  expect(counted).toContain(`${prefix}_latency_seconds{"result":"failure",${hash}}`);
  expect(counted).toContain(
    `${prefix}_jwks_fetch_last_timestamp_seconds{"result":"success",${hash}}`,
  );
  expect(counted.filter((name) => name.includes('last_key_set_info'))).toHaveLength(1);
  expect(counted.join()).not.toContain(issuer.url);
  const known = new Set(metricCatalog.map(({ name }) => name));
  for (const name of counted) expect(known).toContain(name.slice(0, name.indexOf('{')));
  await linked.close();
  // A reload closes the issuer even if it stays in the file.
  expect([...ports.counted.keys()]).toEqual(counted);
});

test('a failed fetch is counted', async () => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  issuer.publish(ports.http);
  ports.http.unplug(`${issuer.url}/jwks`);
  const linked = await linkNodes([jwtNode(issuer)], ports);
  await ask(linked, await issuer.token());
  const failed = [...ports.counted.keys()].filter((name) => name.includes('"result":"failure"'));
  expect(failed.some((name) => name.includes('jwks_fetch_last_timestamp'))).toBe(true);
});

test('fetches are not counted if the feature gate is disabled', async () => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  issuer.publish(ports.http);
  const linked = await linkNodes([jwtNode(issuer)], ports, { keySetMetrics: false });
  await ask(linked, await issuer.token());
  expect([...ports.counted.keys()].some((name) => name.includes('_latency_seconds'))).toBe(true);
  expect([...ports.counted.keys()].filter((name) => name.includes('jwks_fetch'))).toEqual([]);
});
