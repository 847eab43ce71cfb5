/**
 * The whole lab: every request that was sent to the real server with all of its authenticators, sent
 * to ours, in order and byte for byte, under either domain.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LabCredentials, makeCredentials } from './credentials.ts';
import {
  type LabAnswer,
  type LabRequest,
  labRequests,
  labTable,
  normalised,
  requestBytes,
  setupSteps,
  shownAnswer,
} from './exchange.ts';
import { type LabServer, startLabServer } from './lab-server.ts';
import { type LabWorld, makeWorld } from './world.ts';

const requests = labRequests();
const modes = ['structured', 'flags'] as const;
const domains = ['k8s.io', 'platform.io'] as const;

/** Where the real server and ours once differed. */
const found = labTable<LabRequest & { readonly expect: Found }>('found.jsonl');
interface Found {
  readonly status: number;
  readonly message?: string;
  /** A part of it. */
  readonly body?: object;
}

/** A row of docs/differences.md: a name that is a bare prefix names nobody. */
const differing = new Map([['flags jwt-emptysub', 401]]);

describe.each(modes)('%s', (mode) => {
  const expected = new Map(
    labTable<LabAnswer>(`${mode}.expected.jsonl`).map((answer) => [answer.id, answer]),
  );

  const sent = [...requests.values()].filter(
    ({ modes: only }) => only === undefined || only.includes(mode),
  );

  test('what is recorded is sent, in order', () => {
    const ids = sent.map(({ id }) => id).filter((id) => expected.has(id));
    expect([...expected.keys()]).toEqual(ids);
    expect(ids.length).toBe(mode === 'structured' ? 174 : 144);
  });

  describe.each(domains)('under %s', (domain) => {
    const folder = mkdtempSync(join(tmpdir(), 'authgraph-lab-'));
    let world: LabWorld;
    let credentials: LabCredentials;
    let server: LabServer;
    let tokens: ReadonlyMap<string, string>;

    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const ask = (request: Omit<LabRequest, 'id'>) =>
      server.ask(
        requestBytes(request, domain, tokens),
        request.cert === undefined ? undefined : credentials.certificates.get(request.cert),
      );

    /** Objects through the API, by the administrator; some steps make tokens. */
    const prepare = async (): Promise<void> => {
      const made = new Map(world.tokens);
      tokens = made;
      for (const [method, path, body, name] of setupSteps(domain)) {
        const step = { method, path, headers: [], body: JSON.stringify(body), cert: 'admin' };
        const answer = await ask(step);
        expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
        if (name !== undefined) made.set(name, JSON.parse(answer.body).status.token);
      }
    };
    /** The last binding of the set-up holds, so all before it do. */
    const whenSeen = async (): Promise<void> => {
      const review = {
        method: 'POST',
        path: '/apis/authentication.@DOMAIN@/v1/tokenreviews',
        headers: ['Authorization: Bearer static-one'],
        body: '{"apiVersion":"authentication.@DOMAIN@/v1","kind":"TokenReview","spec":{"token":"x"}}',
      };
      await vi.waitFor(async () => expect((await ask(review)).status).toBe(201), 10_000);
    };

    beforeAll(async () => {
      world = await makeWorld();
      credentials = makeCredentials(folder);
      server = await startLabServer({
        authorityPem: world.authorityPem,
        flags: [
          ...credentials.flags,
          `--tls-cert-file=${file('server.crt', world.server.certificatePem)}`,
          `--tls-private-key-file=${file('server.key', world.server.privateKeyPem)}`,
          `--api-domain=${domain}`,
          '--target-version=1.36',
          ...(mode === 'structured'
            ? [`--authentication-config=${file('authn.yaml', world.configuration(domain))}`]
            : [
                `--oidc-issuer-url=${world.issuerUrl}`,
                '--oidc-client-id=kube',
                `--oidc-ca-file=${file('issuer-ca.crt', world.authorityPem)}`,
                '--oidc-groups-claim=groups',
                '--oidc-groups-prefix=og:',
                '--oidc-signing-algs=RS256,ES256',
              ]),
        ],
      });
      await prepare();
      await whenSeen();
    }, 60_000);
    afterAll(async () => {
      await server?.close();
      await world?.close();
      rmSync(folder, { recursive: true });
    });

    test.each(sent)('$id', async (request) => {
      const answer = shownAnswer(request.id, await ask(request));
      const recorded = expected.get(request.id);
      if (recorded === undefined) {
        // Not recorded, but what follows stands on it.
        expect(answer.status).toBeLessThan(500);
        return;
      }
      const status = differing.get(`${mode} ${request.id}`);
      if (status !== undefined) {
        expect(answer.status).toBe(status);
        return;
      }
      const isVersion = request.path === '/version';
      const compared = (one: LabAnswer) => normalised(isVersion ? { ...one, body: '' } : one);
      expect(compared(answer)).toEqual(compared(recorded));
    });

    test.each(found)('found by chance: $id', async ({ expect: answer, ...request }) => {
      const given = shownAnswer(request.id, await ask(request));
      expect(given.status).toBe(answer.status);
      if (answer.message !== undefined) {
        expect(normalised(given)).toMatchObject({ body: { message: answer.message } });
      }
      if (answer.body !== undefined) expect(given.body).toMatchObject(answer.body);
    });
  });
});
