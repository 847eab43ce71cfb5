/** The flags, the compiled node with its explanation, and the startup warnings. */
import { describe, expect, test } from 'vitest';
import {
  compileWebhookToken,
  filesOfWebhookToken,
} from '../../../../engine/src/authenticators/webhook-token/compile.ts';
import {
  flags,
  readWebhookToken,
} from '../../../../engine/src/authenticators/webhook-token/config.ts';
import { explainWebhookToken } from '../../../../engine/src/authenticators/webhook-token/explain.ts';
import * as webhookRejections from '../../../../engine/src/authenticators/webhook-token/rejections.ts';
import type { FlagValues } from '../../../../engine/src/flags/flag.ts';
import { encodeUtf8 } from '../../../../engine/src/formats/utf8.ts';
import { makeCert } from '../../../attacks/lib/der.mjs';
import { kubeconfigText } from '../../../support/webhook-client.ts';

const valuesOf = (texts: Readonly<Record<string, string>>, number = 120_000): FlagValues => ({
  isSet: (name) => name in texts,
  string: (name) => texts[name] ?? flags.find((row) => row.name === name)?.default ?? '',
  bool: () => false,
  number: () => number,
  list: () => [],
  map: () => new Map(),
});

test("the flags are kube-apiserver's", () => {
  expect(flags.map(({ name, type, default: value }) => [name, type, value])).toEqual([
    ['authentication-token-webhook-config-file', 'string', ''],
    ['authentication-token-webhook-version', 'string', 'v1beta1'],
    ['authentication-token-webhook-cache-ttl', 'duration', '2m0s'],
  ]);
});

test('the authenticator is disabled without a file', () => {
  const settings = readWebhookToken(valuesOf({}));
  expect(settings).toEqual({ file: undefined, version: 'v1beta1', cacheTtlMs: 120_000 });
});

const source = (text: string, directory = '/etc/authgraph') => ({
  file: 'webhook.kubeconfig',
  directory,
  contents: { kind: 'read', bytes: encodeUtf8(text) } as const,
});

const context = (version = 'v1', cacheTtlMs = 120_000) => ({
  settings: { version, cacheTtlMs },
  apiAudiences: ['api'],
  apiDomain: 'platform.io',
  files: new Map(),
});

describe('files', () => {
  test('are resolved against the kubeconfig’s folder; those of other contexts are not read', () => {
    const text = kubeconfigText(
      'https://w.example/',
      { 'certificate-authority': '../ca.pem' },
      { 'client-certificate': './us.pem', 'client-key': '/keys/us.key', tokenFile: 'token' },
    ).replace('"users":[', '"users":[{"name":"other","user":{"tokenFile":"other"}},');
    expect(filesOfWebhookToken(source(text))).toEqual([
      '/etc/ca.pem',
      '/etc/authgraph/us.pem',
      '/keys/us.key',
      '/etc/authgraph/token',
    ]);
  });

  test.each([
    ['{', []],
    ['', []],
  ])('are none if the kubeconfig is invalid or empty: %j', (text, files) => {
    expect(filesOfWebhookToken(source(text))).toEqual(files);
  });
});

describe('an invalid kubeconfig', () => {
  const failing = (reason: string) =>
    compileWebhookToken({ ...source(''), contents: { kind: 'unreadable', reason } }, context());
  test.each([
    [
      'open webhook.kubeconfig: no such file or directory',
      'stat webhook.kubeconfig: no such file or directory',
    ],
    [
      'open webhook.kubeconfig: permission denied',
      'error loading config file "webhook.kubeconfig": open webhook.kubeconfig: permission denied',
    ],
  ])('%s', (reason, error) => {
    expect(failing(reason)).toEqual({ kind: 'failed', error });
  });

  test('with invalid UTF-8', () => {
    const contents = { kind: 'read', bytes: Uint8Array.of(0x61, 0x3a, 0xff) } as const;
    expect(compileWebhookToken({ ...source(''), contents }, context())).toEqual({
      kind: 'failed',
      error: 'error loading config file "webhook.kubeconfig": yaml: invalid leading UTF-8 octet',
    });
  });
});

describe('the compiled node', () => {
  const compiled = (
    cluster: object = {},
    user: object = {},
    { server = 'https://w.example/authenticate', version = 'v1', ttlMs = 120_000 } = {},
  ) => {
    const compilation = compileWebhookToken(
      source(kubeconfigText(server, { ...cluster }, { ...user })),
      context(version, ttlMs),
    );
    if (compilation.kind === 'failed') throw new Error(compilation.error);
    return compilation;
  };

  test('is explained in sentences', () => {
    const { node, warnings } = compiled({}, { token: 'ours' });
    expect(warnings).toEqual([]);
    expect(explainWebhookToken(node)).toEqual({
      path: 'webhook-token',
      sentence:
        'a token that no earlier authenticator accepts is sent to "https://w.example/authenticate?timeout=30s" in a TokenReview of version v1.',
      parts: [
        "its certificate must be signed by one of the system's certificate authorities.",
        'the server authenticates with a bearer token.',
        'responses are cached for 120 seconds, whether they accept the token or not; failures are not cached.',
        'a review must have one of the requested audiences, if there are any; one without audiences has "api".',
      ].map((sentence) => ({ path: 'webhook-token', sentence, parts: [] })),
    });
  });

  test.each([
    [{}, {}, 'none', 'system roots'],
    [{ 'insecure-skip-tls-verify': true }, { username: 'u' }, 'basic', 'unverified'],
    [{}, { password: 'p' }, 'none', 'system roots'],
  ])('%j and %j', (cluster, user, credential, trust) => {
    expect(compiled(cluster, user).node).toMatchObject({ credential, trust });
  });

  test('shows a URL without its password, which is sent', () => {
    const { node, material } = compiled({}, {}, { server: 'https://me:p%40ss@w.example/x' });
    expect(node.url).toBe('https://me:***@w.example/x?timeout=30s');
    expect(material.connection.origin).toBe('https://w.example');
    expect(material.connection.credential).toMatchObject({ kind: 'basic', username: 'me' });
  });

  test('treats a negative TTL as 0', () => {
    const { node } = compiled({}, {}, { ttlMs: -1 });
    expect(node.cacheTtlMs).toBe(0);
    expect(explainWebhookToken(node).parts[2]?.sentence).toBe('responses are not cached.');
  });

  test('https-only: no program is run for a credential, even if there is a token', () => {
    const exec = {
      command: 'x',
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
    };
    expect(() => compiled({}, { exec })).toThrow(
      'user "us": exec plugins are not supported; use a token, a tokenFile or a client certificate instead',
    );
    expect(() => compiled({}, { exec, token: 'a' })).toThrow('exec plugins are not supported');
    expect(() => compiled({}, { 'auth-provider': { name: 'oidc' } })).toThrow(
      'user "us": auth providers are not supported',
    );
  });
});

test('every rejection has a meaning', () => {
  const rejections = Object.values(webhookRejections);
  expect([...new Set(rejections.map(({ code }) => code))].sort()).toEqual([
    'AG5060',
    'AG5061',
    'AG5062',
    'AG5063',
  ]);
  for (const { meaning } of rejections) {
    expect(meaning).toMatch(/\.$/);
  }
});

describe('certificate authorities that cannot verify the webhook', () => {
  const authority = makeCert({ subject: [['CN', 'hook-root']], ca: true });
  const flagless = makeCert({ subject: [['CN', 'flagless']], ca: false });
  const warnings = (cluster: object, files: ReadonlyMap<string, string> = new Map()) => {
    const compilation = compileWebhookToken(
      source(kubeconfigText('https://w.example', { ...cluster }, {})),
      {
        ...context(),
        files: new Map(
          [...files].map(([path, text]) => [path, { kind: 'read', bytes: encodeUtf8(text) }]),
        ),
        now: Date.now(),
      },
    );
    return compilation.kind === 'compiled' ? compilation.warnings : [compilation.error];
  };
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test('are reported with file and field', () => {
    expect(warnings({ 'certificate-authority-data': base64(flagless.pem) })).toEqual([
      expect.stringMatching(
        /^webhook\.kubeconfig: clusters\[name=\S+\]\.cluster\.certificate-authority-data: certificate "flagless" .* has no CA flag/,
      ),
    ]);
    const files = new Map([['/etc/authgraph/ca.pem', flagless.pem]]);
    expect(warnings({ 'certificate-authority': 'ca.pem' }, files)).toEqual([
      expect.stringMatching(
        /\.cluster\.certificate-authority: \/etc\/authgraph\/ca\.pem: certificate "flagless"/,
      ),
    ]);
  });

  test('are not reported if they can', () => {
    expect(warnings({ 'certificate-authority-data': base64(authority.pem) })).toEqual([]);
  });
});
