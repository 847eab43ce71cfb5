/** A configuration in service: metrics of its issuers, and readiness. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { nodeDigest } from '../../../engine/src/node/digest.ts';
import { nodeMetrics } from '../../../engine/src/node/metrics.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import type { ReloadEvent } from '../../../engine/src/server/configuration/reload.ts';
import { startServing } from '../../../engine/src/server/configuration/serving.ts';
import { startDemoIssuer } from '../../../engine/src/server/demo/issuer.ts';
import {
  demoIssuerHost,
  demoIssuerNames,
  demoPeople,
} from '../../../engine/src/server/demo/people.ts';
import { createSelfSigned } from '../../../engine/src/server/tls/self-signed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sample = readFileSync(
  join(import.meta.dirname, '../../../samples/demo/authentication.yaml'),
  'utf8',
);
const withoutTeam = sample.replace(
  /- issuer:\n(?: {4}#.*\n)* {4}url: https:\/\/team[\s\S]*?(?=\n# )/,
  '',
);

const serve = async (text: string) => {
  const { path: folder } = temporaryFolder(onTestFinished);
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  const certificate = createSelfSigned({
    hosts: demoIssuerNames.map(demoIssuerHost),
    now: Date.now(),
  });
  const issuer = await startDemoIssuer({
    certificate: certificate.certificatePem,
    key: certificate.privateKeyPem,
  });
  const metrics = nodeMetrics({ serverIdHash: '' });
  const ports = nodePorts({
    metrics,
    http: {
      extraRoots: [certificate.authorityPem],
      loopbackPorts: new Map(demoIssuerNames.map((name) => [demoIssuerHost(name), issuer.port])),
    },
  });
  const events: ReloadEvent[] = [];
  const start = await startServing({
    configuration: { kind: 'file', path },
    settings: defaultSettings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled' },
    report: (event) => events.push(event),
  });
  if (start.kind !== 'serving') throw new Error(JSON.stringify(start));
  const { serving } = start;
  onTestFinished(async () => {
    await serving.close();
    await issuer.close();
    await ports.http.close();
  });
  return {
    serving,
    issuer,
    events,
    edit(next: string) {
      writeFileSync(path, next);
      return serving.reload?.checkNow();
    },
    checks() {
      const { generation: stage, release } = serving.holder.acquire();
      release();
      return stage.readinessChecks();
    },
    async whoAreAll() {
      const { generation: stage, release } = serving.holder.acquire();
      const names: string[] = [];
      for (const person of demoPeople) {
        const request = { path: '/', token: secret(await issuer.tokenFor(person)), audiences: [] };
        const decision = await stage.authenticate(request, new AbortController());
        names.push(decision.kind === 'accepted' ? decision.user.username : decision.kind);
      }
      release();
      return names;
    },
    async seriesOf(issuerUrl: string) {
      const hash = nodeDigest().sha256Hex(issuerUrl);
      const lines = (await metrics.text()).split('\n').filter((line) => line.includes(hash));
      return [...new Set(lines.map((line) => /jwks_fetch_(\w+)\{/.exec(line)?.[1] ?? ''))].filter(
        (name) => name !== '',
      );
    },
  };
};

test('is ready after the first discovery attempt of every issuer, and not before', async () => {
  const { serving, checks } = await serve(sample);
  expect(checks().map(({ name, isReady }) => [name, isReady])).toEqual([
    ['jwt-0', false],
    ['jwt-1', false],
  ]);
  await serving.waitForDiscovery(AbortSignal.timeout(10_000));
  expect(checks().every(({ isReady }) => isReady)).toBe(true);
});

test('is ready with an issuer that is down, for the users of the others', async () => {
  const { serving, checks, whoAreAll } = await serve(
    sample.replace('https://team.demo.localhost', 'https://127.0.0.1:1'),
  );
  await serving.waitForDiscovery(AbortSignal.timeout(10_000));
  expect(checks().every(({ isReady }) => isReady)).toBe(true);
  expect(checks().map(({ note }) => note)).toEqual([
    'issuer https://127.0.0.1:1 has not been reached; its tokens are rejected',
    undefined,
  ]);
  expect(await whoAreAll()).toEqual(['rejected', 'olu@example.com', 'rejected']);
});

test('deletes the series of a removed issuer and keeps those of the others', async () => {
  const { serving, edit, events, whoAreAll, seriesOf } = await serve(sample);
  await serving.waitForDiscovery(AbortSignal.timeout(10_000));
  expect(await whoAreAll()).toEqual(['team:ada', 'olu@example.com', 'rejected']);
  const both = ['last_timestamp_seconds', 'last_key_set_info'];
  expect(await seriesOf('https://team.demo.localhost')).toEqual(both);
  expect(withoutTeam).not.toContain('team.demo');
  await edit(withoutTeam);
  expect(events.map(({ kind }) => kind)).toEqual(['reloaded']);
  expect(await whoAreAll()).toEqual(['rejected', 'olu@example.com', 'rejected']);
  expect(await seriesOf('https://team.demo.localhost')).toEqual([]);
  expect(await seriesOf('https://staff.demo.localhost')).toEqual(both);
});

test('keeps the series of a retained issuer across a reload', async () => {
  const { serving, edit, events, whoAreAll, seriesOf } = await serve(sample);
  await serving.waitForDiscovery(AbortSignal.timeout(10_000));
  await whoAreAll();
  await edit(withoutTeam);
  expect(events.map(({ kind }) => kind)).toEqual(['reloaded']);
  // The old graph is closed by now, and no token has made the new one fetch keys.
  await vi.waitFor(async () => expect(await seriesOf('https://team.demo.localhost')).toEqual([]));
  expect(await seriesOf('https://staff.demo.localhost')).toEqual([
    'last_timestamp_seconds',
    'last_key_set_info',
  ]);
});

test('never starts to serve a broken file', async () => {
  await expect(serve(`${sample}bogus: 1\n`)).rejects.toThrow('refused');
});
