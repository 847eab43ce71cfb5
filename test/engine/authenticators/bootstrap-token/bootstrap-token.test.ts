import { describe, expect, test } from 'vitest';
import { linkBootstrapToken } from '../../../../engine/src/authenticators/bootstrap-token/authenticate.ts';
import { compileBootstrapToken } from '../../../../engine/src/authenticators/bootstrap-token/compile.ts';
import { explainBootstrapToken } from '../../../../engine/src/authenticators/bootstrap-token/explain.ts';
import { secret } from '../../../../engine/src/model/secret.ts';
import type { TraceStep } from '../../../../engine/src/model/trace.ts';
import type { ObjectView } from '../../../../engine/src/ports/object-view.ts';
import { secretView } from '../../../support/answer-modules/json-objects.ts';
import { type FakePorts, fakePorts } from '../../../support/fake-ports.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const password = '0123456789abcdef';

const bootstrapSecret = (
  data: Record<string, unknown> = {},
  type = 'bootstrap.kubernetes.io/token',
) => ({
  metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
  type,
  data: {
    'token-id': base64('abcdef'),
    'token-secret': base64(password),
    'usage-bootstrap-authentication': base64('true'),
    ...data,
  },
});

interface DecideOptions {
  readonly view?: ObjectView;
  readonly secrets?: readonly object[];
  readonly ports?: FakePorts;
  readonly apiDomain?: string;
  readonly steps?: TraceStep[];
}

const decideWith = async (options: DecideOptions = {}) => {
  const ports = options.ports ?? fakePorts();
  const node = compileBootstrapToken(
    { enabled: true },
    { apiDomain: options.apiDomain ?? 'k8s.io' },
  );
  if (node === undefined) throw new Error('off');
  const objects = options.view ?? secretView(options.secrets ?? [bootstrapSecret()]);
  const { authenticate } = linkBootstrapToken(node, ports, { objects });
  const request = { path: '/', token: secret(`abcdef.${password}`), audiences: [] };
  const { steps } = options;
  const sink = steps === undefined ? undefined : { step: (step: TraceStep) => steps.push(step) };
  return authenticate(request, new AbortController(), sink);
};

describe('the expiry of a token', () => {
  const endsIn = (ports: FakePorts, milliseconds: number) =>
    bootstrapSecret({
      expiration: base64(new Date(ports.clock.now() + milliseconds).toISOString()),
    });
  test('is part of the decision, which limits caching', async () => {
    const ports = fakePorts();
    const decision = await decideWith({ ports, secrets: [endsIn(ports, 1)] });
    expect(decision.kind === 'accepted' && decision.expiresAtMs).toBe(ports.clock.now() + 1);
    const endless = await decideWith({ ports });
    expect(endless.kind).toBe('accepted');
    expect(endless).not.toHaveProperty('expiresAtMs');
  });
  test('is reached at exactly that moment', async () => {
    const ports = fakePorts();
    expect((await decideWith({ ports, secrets: [endsIn(ports, 0)] })).kind).toBe('noOpinion');
  });
  test.each([[5], ['?'], [{}]])('%j counts as expired', async (expiration) => {
    expect((await decideWith({ secrets: [bootstrapSecret({ expiration })] })).kind).toBe(
      'noOpinion',
    );
  });
});

test.each([
  ['k8s.io', 'bootstrap.kubernetes.io/token', 'accepted'],
  ['k8s.io', 'bootstrap.platform.io/token', 'noOpinion'],
  ['platform.io', 'bootstrap.kubernetes.io/token', 'accepted'],
  ['platform.io', 'bootstrap.platform.io/token', 'accepted'],
])('in the domain %s a Secret of the type %s: %s', async (apiDomain, type, kind) => {
  expect((await decideWith({ apiDomain, secrets: [bootstrapSecret({}, type)] })).kind).toBe(kind);
});

describe('the store', () => {
  test('may respond asynchronously', async () => {
    const known = secretView([bootstrapSecret()]);
    const view = {
      ...known,
      find: async (key: Parameters<ObjectView['find']>[0]) => known.find(key),
    };
    expect((await decideWith({ view })).kind).toBe('accepted');
  });
  test('is an error if it is unavailable', async () => {
    const decision = await decideWith({ view: secretView([], 'secrets are not loaded yet') });
    expect(decision).toEqual({
      kind: 'rejected',
      by: 'bootstrap-token',
      reason: { code: 'AG5024', message: 'secrets are not loaded yet' },
    });
  });
  test('is not queried for other tokens', async () => {
    const node = compileBootstrapToken({ enabled: true }, { apiDomain: 'k8s.io' });
    if (node === undefined) throw new Error('off');
    const { authenticate } = linkBootstrapToken(node, fakePorts(), {
      objects: secretView([], 'must not be asked'),
    });
    for (const token of [undefined, secret(''), secret('x.y'), secret(`abcdef.${password}x`)]) {
      const request = { path: '/', token, audiences: [] };
      expect(await authenticate(request, new AbortController())).toEqual({ kind: 'noOpinion' });
    }
  });
});

describe('reasons', () => {
  test.each<[string, Record<string, unknown>]>([
    ['has another token-secret', { 'token-secret': base64('fedcba9876543210') }],
    ['has another token-id', { 'token-id': base64('ghijkl') }],
    ['has expired', { expiration: base64('2020-01-01T00:00:00Z') }],
    ['has an invalid expiration', { expiration: base64('soon') }],
    [
      'does not have usage-bootstrap-authentication: true',
      { 'usage-bootstrap-authentication': '' },
    ],
    [
      'has a group in auth-extra-groups that does not start with system:bootstrappers:',
      { 'auth-extra-groups': base64('system:masters') },
    ],
  ])('%s', async (why, data) => {
    const ports = fakePorts();
    const steps: TraceStep[] = [];
    await decideWith({ ports, steps, secrets: [bootstrapSecret(data)] });
    expect(ports.events).toEqual([
      {
        level: 'debug',
        message: 'bootstrap token ignored',
        fields: { object: 'kube-system/bootstrap-token-abcdef', reason: why },
      },
    ]);
    expect(steps.map(({ detail }) => detail)).toEqual([`the secret ${why}`]);
  });
});

test('exists only if it is enabled, and is explained', () => {
  expect(compileBootstrapToken({ enabled: false }, { apiDomain: 'k8s.io' })).toBeUndefined();
  const node = compileBootstrapToken({ enabled: true }, { apiDomain: 'k8s.io' });
  expect(node && explainBootstrapToken(node).sentence).toContain('"bootstrap.kubernetes.io/token"');
});
