/** `authgraph fleet --metrics URL`: credentials, trust, redirects and errors of servers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterAll, expect, test } from 'vitest';
import { configurationHash } from '../../engine/src/cli/configuration-folder.ts';
import { runCaptured } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';

const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous: { enabled: false }
`;
const hash = configurationHash({ content: text }, { kind: 'text', text });
const page = `apiserver_authentication_config_controller_last_config_info{hash="${hash}"} 1\n`;

const authority = testAuthority();
const issued = authority.issue();
/** The requests of both servers: their URL and their Authorization header. */
const seen: (readonly [string, string | undefined])[] = [];
const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const { url = '', headers } = request;
  seen.push([url, headers.authorization]);
  if (url.startsWith('/moved')) response.writeHead(302, { location: plainUrl() }).end();
  else if (url.startsWith('/forbidden')) response.writeHead(403).end('forbidden');
  else if (url.startsWith('/cut')) {
    response.writeHead(200, { 'content-length': page.length + 1 }).write(page);
    response.destroy();
  } else response.end(page);
};
const tls = await listenOnLoopback(
  createTlsServer({ cert: issued.pem, key: issued.keyPem }, answer),
);
const plain = await listenOnLoopback(createServer(answer));
const tlsUrl = `https://127.0.0.1:${tls.port}`;
const plainUrl = (): string => `http://127.0.0.1:${plain.port}/metrics`;
afterAll(() => Promise.all([tls.close(), plain.close()]));

const run = (url: string, args: readonly string[] = []) => {
  seen.length = 0;
  const files = { 'clusters/a.yaml': text, 'ca.crt': authority.pem, token: 'secret-token\n' };
  return runCaptured(['fleet', 'clusters', '--metrics', url, ...args], { files });
};
const trusted = ['--certificate-authority', 'ca.crt', '--token-file', 'token'];

test('the token is sent to a verified server; the path is /metrics if there is none', async () => {
  const { code, stdout, stderr } = await run(tlsUrl, trusted);
  expect(seen).toEqual([['/metrics', 'Bearer secret-token']]);
  expect(stdout).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/ +clusters\/a\.yaml$/m);
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

test('a federating Prometheus can be requested without TLS; its query is not shown', async () => {
  const { code, stdout } = await run(`${plainUrl()}?match[]={job="secret"}`);
  expect(seen).toEqual([['/metrics?match[]={job=%22secret%22}', undefined]]);
  expect(stdout).not.toContain('secret');
  expect(code).toBe(0);
});

test('a redirect is not followed', async () => {
  const { code, stderr } = await run(`${tlsUrl}/moved`, trusted);
  expect(seen.map(([url]) => url)).toEqual(['/moved']);
  expect(stderr).toContain(`error: get ${tlsUrl}/moved: the server returned 302 Found\n`);
  expect(code).toBe(2);
});

test.each([
  ['an untrusted certificate', tlsUrl, [], 'certificate signed by unknown authority'],
  ['a missing role', `${tlsUrl}/forbidden`, trusted, 'needs a role that permits the verb get'],
  ['a response that is cut off', `${tlsUrl}/cut`, trusted, '/cut: EOF'],
  ['no server', 'http://127.0.0.1:1/metrics', [], 'connection refused'],
])('%s is a failure, and the matrix is printed', async (_, url, args, message) => {
  const { code, stdout, stderr } = await run(url, args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret-token');
  expect(stdout).toMatch(/^clusters\/a\.yaml /m);
  expect(code).toBe(2);
});
