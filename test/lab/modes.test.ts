/**
 * The whole lab: requests that were sent to kube-apiserver with all of its authenticators are sent
 * to AuthGraph, in order and byte for byte, under either API domain.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type LabCredentials, makeCredentials } from './credentials.ts';
import {
  type LabAnswer,
  type LabRequest,
  labRequests,
  labTable,
  normalized,
  requestBytes,
  setupSteps,
  shownAnswer,
} from './exchange.ts';
import { type LabEnvironment, makeLabEnvironment } from './lab-environment.ts';
import { type LabServer, startLabServer } from './lab-server.ts';

const requests = labRequests();
const modes = ['structured', 'flags'] as const;
const domains = ['k8s.io', 'platform.io'] as const;

/** Generated requests that once revealed a difference. */
const regressions = labTable<LabRequest & { readonly expect: ExpectedResponse }>('found.jsonl');
interface ExpectedResponse {
  readonly status: number;
  readonly message?: string;
  /** A part of the body. */
  readonly body?: object;
}

/** Rows of docs/differences.md: a username that consists of the prefix only is rejected. */
const differingStatus = new Map([['flags jwt-emptysub', 401]]);

const { path: folder, write: file } = temporaryFolder();
let credentials: LabCredentials;
beforeAll(() => {
  credentials = makeCredentials(folder);
});

describe.each(modes)('%s', (mode) => {
  const expected = new Map(
    labTable<LabAnswer>(`${mode}.expected.jsonl`).map((answer) => [answer.id, answer]),
  );

  const sent = [...requests.values()].filter(
    ({ modes: only }) => only === undefined || only.includes(mode),
  );

  test('sends what is recorded, in order', () => {
    const ids = sent.map(({ id }) => id).filter((id) => expected.has(id));
    expect([...expected.keys()]).toEqual(ids);
    expect(ids.length).toBe(mode === 'structured' ? 174 : 144);
  });

  describe.each(domains)('under %s', (domain) => {
    let environment: LabEnvironment;
    let server: LabServer;
    let tokens: ReadonlyMap<string, string>;

    const ask = (request: Omit<LabRequest, 'id'>) =>
      server.ask(
        requestBytes(request, domain, tokens),
        request.cert === undefined ? undefined : credentials.certificates.get(request.cert),
      );

    /** Creates objects through the API as the administrator; some steps return tokens. */
    const prepare = async (): Promise<void> => {
      const allTokens = new Map(environment.tokens);
      tokens = allTokens;
      for (const [method, path, body, name] of setupSteps(domain)) {
        const step = { method, path, headers: [], body: JSON.stringify(body), cert: 'admin' };
        const answer = await ask(step);
        expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
        if (name !== undefined) allTokens.set(name, JSON.parse(answer.body).status.token);
      }
    };
    /** Waits until the last role binding of the setup applies, and so all others. */
    const untilRbacApplies = async (): Promise<void> => {
      const review = {
        method: 'POST',
        path: '/apis/authentication.@DOMAIN@/v1/tokenreviews',
        headers: ['Authorization: Bearer static-one'],
        body: '{"apiVersion":"authentication.@DOMAIN@/v1","kind":"TokenReview","spec":{"token":"x"}}',
      };
      await vi.waitFor(async () => expect((await ask(review)).status).toBe(201), 10_000);
    };

    beforeAll(async () => {
      environment = await makeLabEnvironment();
      server = await startLabServer({
        authorityPem: environment.authorityPem,
        flags: [
          ...credentials.flags,
          `--tls-cert-file=${file('server.crt', environment.server.certificatePem)}`,
          `--tls-private-key-file=${file('server.key', environment.server.privateKeyPem)}`,
          `--api-domain=${domain}`,
          '--target-version=1.36',
          ...(mode === 'structured'
            ? [`--authentication-config=${file('authn.yaml', environment.configuration(domain))}`]
            : [
                `--oidc-issuer-url=${environment.issuerUrl}`,
                '--oidc-client-id=kube',
                `--oidc-ca-file=${file('issuer-ca.crt', environment.authorityPem)}`,
                '--oidc-groups-claim=groups',
                '--oidc-groups-prefix=og:',
                '--oidc-signing-algs=RS256,ES256',
              ]),
        ],
      });
      await prepare();
      await untilRbacApplies();
    }, 60_000);
    afterAll(async () => {
      await server?.close();
      await environment?.close();
    });

    test.each(sent)('$id', async (request) => {
      const answer = shownAnswer(request.id, await ask(request));
      const recorded = expected.get(request.id);
      if (recorded === undefined) {
        // Not recorded, but later requests depend on it.
        expect(answer.status).toBeLessThan(500);
        return;
      }
      const status = differingStatus.get(`${mode} ${request.id}`);
      if (status !== undefined) {
        expect(answer.status).toBe(status);
        return;
      }
      const isVersion = request.path === '/version';
      const compared = (one: LabAnswer) => normalized(isVersion ? { ...one, body: '' } : one);
      expect(compared(answer)).toEqual(compared(recorded));
    });

    test.each(regressions)(
      'matches kube-apiserver for the generated request $id',
      async ({ expect: answer, ...request }) => {
        const response = shownAnswer(request.id, await ask(request));
        expect(response.status).toBe(answer.status);
        if (answer.message !== undefined) {
          expect(normalized(response)).toMatchObject({ body: { message: answer.message } });
        }
        if (answer.body !== undefined) expect(response.body).toMatchObject(answer.body);
      },
    );
  });
});
