/**
 * `authgraph serve` as a process with every module on: certificates, a proxy, static, bootstrap and
 * service account tokens, an issuer, a webhook over mTLS, the embedded store and a decision log.
 * Every secret of it is known, so that a test can look for them wherever something is written.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSigningKey, keySetOf, mintToken } from '../../engine/src/node/mint.ts';
import { makeCert } from '../attacks/lib/der.mjs';
import { testAuthority } from './certificates.ts';
import { freePort } from './free-port.ts';
import { type HttpsRequest, type HttpsResponse, sendHttps } from './https-request.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { kubeconfigText } from './webhook-client.ts';
import { type WebhookServer, webhookServer } from './webhook-server.ts';

export interface WholeServer {
  readonly folder: string;
  readonly port: number;
  readonly pid: number;
  /** PEM of the authority of its certificate. */
  readonly authorityPem: string;
  /** Secrets that must never appear in any output, by their kind. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly tokens: {
    readonly admin: string;
    readonly static: string;
    readonly webhook: string;
    readonly bootstrap: string;
    jwt(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  };
  readonly certificates: { readonly client: Certificate; readonly proxy: Certificate };
  readonly issuerUrl: string;
  readonly configurationFile: string;
  readonly flags: readonly string[];
  /** The requests that the webhook received. */
  readonly webhookRequests: WebhookServer['seen'];
  ask(request: Omit<HttpsRequest, 'port'>): Promise<HttpsResponse>;
  /** Returns its output on both standard streams. */
  output(): string;
  decisions(): string;
  /** Stops reading its standard output. */
  stopReading(): void;
  running(): boolean;
  /** Sends the signal; resolves with the exit code when the process has ended. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** Stops everything and removes the folder. */
  close(): Promise<void>;
}

type Certificate = ReturnType<typeof makeCert>;

export const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');

export interface WholeServerOptions {
  readonly flags?: readonly string[];
  /** Lines of YAML at the end of the `jwt` entry, indented by two spaces. */
  readonly authenticator?: string;
  /** Mode of the files that hold secrets. */
  readonly mode?: number;
  readonly logLevel?: string;
  /** Environment variables in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether to wait until it reports that it is ready. */
  readonly untilReady?: boolean;
}

export const wholeServer = async (options: WholeServerOptions = {}): Promise<WholeServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-whole-'));
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const writeSecret = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: options.mode ?? 0o600 });
    return path;
  };
  const clients = makeCert({ subject: [['CN', 'clients']], ca: true });
  const proxies = makeCert({ subject: [['CN', 'proxies']], ca: true });
  const serving = testAuthority('serving');
  const servingPair = serving.issue();
  const accountKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const accountKeyPem = accountKey.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  const known = {
    admin: `canary-admin-${randomBytes(12).toString('hex')}`,
    static: `canary-static-${randomBytes(12).toString('hex')}`,
    webhook: `canary-webhook-${randomBytes(12).toString('hex')}`,
    bootstrap: `${randomBytes(3).toString('hex')}.${randomBytes(8).toString('hex')}`,
  };
  const webhook = await webhookServer({
    names: ['localhost'],
    behave: (asked) => {
      const accepted = asked.body.includes(`"${known.webhook}"`);
      const status = accepted
        ? { authenticated: true, user: { username: 'hook', groups: ['team'] } }
        : { authenticated: false };
      const apiVersion = 'authentication.k8s.io/v1';
      return { body: JSON.stringify({ apiVersion, kind: 'TokenReview', status }) };
    },
  });
  const webhookClient = makeCert({ subject: [['CN', 'us']] }, clients);
  const webhookPassword = `canary-password-${randomBytes(12).toString('hex')}`;
  const issuer = await startIssuer(serving);
  const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous:
  enabled: true
  conditions:
  - path: /livez
  - path: /readyz
  - path: /healthz
jwt:
- issuer:
    url: ${issuer.url}
    audiences: [app]
    certificateAuthority: ${JSON.stringify(serving.pem)}
  claimMappings:
    username: {claim: sub, prefix: "jwt:"}
    groups: {claim: groups, prefix: "jwt:"}
${options.authenticator ?? ''}`;
  const port = await freePort();
  const decisionLog = join(folder, 'decisions.jsonl');
  const configurationFile = write('authentication.yaml', configuration);
  const csv = `${known.admin},boss,1,system:masters\n${known.static},sam,2,dev\n`;
  const certificateAuthority = Buffer.from(webhook.authority.pem).toString('base64');
  const flags = [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--authentication-config=${configurationFile}`,
    `--client-ca-file=${write('client-ca.pem', clients.pem)}`,
    `--requestheader-client-ca-file=${write('proxy-ca.pem', proxies.pem)}`,
    '--requestheader-allowed-names=front',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-uid-headers=X-Remote-Uid',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--token-auth-file=${writeSecret('tokens.csv', csv)}`,
    '--enable-bootstrap-token-auth',
    '--service-account-issuer=https://accounts.example',
    `--service-account-key-file=${writeSecret('accounts.key', accountKeyPem)}`,
    `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
    `--authentication-token-webhook-config-file=${writeSecret(
      'webhook.kubeconfig',
      kubeconfigText(
        webhook.url,
        { 'certificate-authority-data': certificateAuthority },
        {
          'client-certificate-data': Buffer.from(webhookClient.pem).toString('base64'),
          'client-key-data': Buffer.from(webhookClient.keyPem).toString('base64'),
          username: 'us',
          password: webhookPassword,
        },
      ),
    )}`,
    '--authentication-token-webhook-version=v1',
    `--tls-cert-file=${write('tls.crt', servingPair.pem)}`,
    `--tls-private-key-file=${writeSecret('tls.key', servingPair.keyPem)}`,
    '--store=sqlite',
    `--store-path=${join(folder, 'store')}`,
    `--decision-log=${decisionLog}`,
    '--decision-log-groups',
    '--decision-log-extra',
    `--log-level=${options.logLevel ?? 'debug'}`,
    ...(options.flags ?? []),
  ];
  let output = '';
  const child = spawn(process.execPath, ['--conditions=source', main, 'serve', ...flags], {
    cwd: folder,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'exit');
  while (!output.includes(' serves ')) {
    if (child.exitCode !== null) throw new Error(output);
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
  }
  const target = { port, authority: serving.pem };
  // Roles are read by then.
  const { untilReady = true } = options;
  while (untilReady && (await sendHttps({ ...target, path: '/readyz' })).status !== 200)
    await pause(50);
  const end = (signal: NodeJS.Signals = 'SIGTERM') => endOf(child, ended, signal);
  return {
    folder,
    port,
    pid: child.pid ?? 0,
    authorityPem: serving.pem,
    secrets: new Map([
      ['token of an administrator', known.admin],
      ['static token', known.static],
      ['token of the webhook', known.webhook],
      ['bootstrap secret', known.bootstrap.slice(7)],
      ['password for the webhook', webhookPassword],
      ['key for the webhook', middleOf(webhookClient.keyPem)],
      ['key of service accounts', middleOf(accountKeyPem)],
      ['key of the certificate', middleOf(servingPair.keyPem)],
    ]),
    tokens: { ...known, jwt: issuer.token },
    certificates: {
      client: makeCert(
        {
          subject: [
            ['O', 'team'],
            ['CN', 'carol'],
          ],
        },
        clients,
      ),
      proxy: makeCert({ subject: [['CN', 'front']] }, proxies),
    },
    issuerUrl: issuer.url,
    configurationFile,
    flags,
    webhookRequests: webhook.seen,
    ask: (request) => sendHttps({ ...target, ...request }),
    output: () => output,
    decisions: () => readFileSync(decisionLog, 'utf8'),
    stopReading: () => child.stdout.pause(),
    running: () => child.exitCode === null && child.signalCode === null,
    end,
    async close() {
      await end('SIGKILL');
      await issuer.close();
      await webhook.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const endOf = async (
  child: ChildProcess,
  ended: Promise<unknown>,
  signal: NodeJS.Signals,
): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  await ended;
  return child.exitCode;
};

/** The first and the last line of a key are in every key. */
const middleOf = (pem: string): string => pem.split('\n')[1] ?? '';

/** A provider whose only secret is its key. */
const startIssuer = async (authority: ReturnType<typeof testAuthority>) => {
  const key = await createSigningKey('ES256', 'k1');
  const certificate = authority.issue();
  const server = createServer(
    { cert: certificate.pem, key: certificate.keyPem },
    (incoming, response) => {
      const document = incoming.url?.endsWith('openid-configuration')
        ? { issuer: url, jwks_uri: `${url}/keys` }
        : keySetOf([key]);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(document));
    },
  );
  const { port, close } = await listenOnLoopback(server);
  const url = `https://localhost:${port}`;
  return {
    url,
    token: (claims: Readonly<Record<string, unknown>> = {}) => {
      const exp = Math.floor(Date.now() / 1000) + 600;
      return mintToken({ iss: url, aud: 'app', sub: 'jane', exp, ...claims }, key, {});
    },
    close,
  };
};
