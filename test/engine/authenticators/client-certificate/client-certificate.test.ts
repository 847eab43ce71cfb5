import { describe, expect, test } from 'vitest';
import { linkClientCertificate } from '../../../../engine/src/authenticators/client-certificate/authenticate.ts';
import { compileClientCertificate } from '../../../../engine/src/authenticators/client-certificate/compile.ts';
import {
  flags,
  readClientCertificate,
} from '../../../../engine/src/authenticators/client-certificate/config.ts';
import { explainClientCertificate } from '../../../../engine/src/authenticators/client-certificate/explain.ts';
import { parseFlags } from '../../../../engine/src/flags/parse-flags.ts';
import { defaultGates, readGates } from '../../../../engine/src/model/feature-gates.ts';
import type { TraceStep } from '../../../../engine/src/model/trace.ts';
import { type CertificateSpec, makeCert } from '../../../attacks/lib/der.mjs';
import {
  authorityNamed,
  certificatePorts,
  connectionWith,
} from '../../../support/certificate-fixtures.ts';

const ca = authorityNamed('ca');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const waiter = new AbortController();

interface Setting {
  readonly apiDomain?: string;
  readonly uid?: boolean;
}

const compiled = ({ apiDomain = 'k8s.io', uid = true }: Setting = {}) => {
  const { gates } = readGates([`AllowParsingUserUIDFromCertAuth=${uid}`], 36);
  const result = compileClientCertificate(
    { caFile: '/etc/ca.crt', bytes: bytes(ca.pem) },
    { gates, apiDomain },
  );
  if (result.kind === 'failed') throw new Error(result.error);
  return result;
};

const decide = async (subject: NonNullable<CertificateSpec['subject']>, setting: Setting = {}) => {
  const { node, material } = compiled(setting);
  const module = linkClientCertificate(node, certificatePorts(), material);
  const certificates = connectionWith(makeCert({ subject }, ca));
  const steps: TraceStep[] = [];
  const decision = await module.authenticate(
    { path: '/', token: undefined, audiences: ['api'], certificates },
    waiter,
    { step: (step) => steps.push(step) },
  );
  return { decision, steps };
};

describe('settings', () => {
  const read = (...args: readonly string[]) =>
    readClientCertificate(parseFlags(flags, args).values);

  test('have no file without the flag', () => {
    expect(read()).toEqual({ caFile: undefined });
    expect(read('--client-ca-file=')).toEqual({ caFile: undefined });
    expect(read('--client-ca-file', 'a')).toEqual({ caFile: 'a' });
  });

  test('an invalid bundle has kube-apiserver’s error', () => {
    const context = { gates: defaultGates(36), apiDomain: 'k8s.io' };
    const load = (text: string) =>
      compileClientCertificate({ caFile: 'bad.pem', bytes: bytes(text) }, context);
    expect(load('garbage')).toEqual({
      kind: 'failed',
      error:
        'error loading CA bundle for "client-ca-bundle::bad.pem": data does not contain any valid RSA or ECDSA certificates',
    });
    expect(load('')).toEqual({
      kind: 'failed',
      error: 'missing content for CA bundle "client-ca-bundle::bad.pem"',
    });
  });

  test('the node contains no certificate', () => {
    expect(compiled().node).toEqual({
      module: 'client-certificate',
      caFile: '/etc/ca.crt',
      readsUid: true,
      credentialIdKey: 'authentication.kubernetes.io/credential-id',
    });
    expect(compiled({ apiDomain: 'platform.io', uid: false }).node).toMatchObject({
      readsUid: false,
      credentialIdKey: 'authentication.platform.io/credential-id',
    });
  });
});

describe('the UID', () => {
  const twice = [
    ['k8sUID', 'a'],
    ['k8sUID', 'b'],
    ['CN', 'ada'],
  ] as const;
  const userOf = async (...args: Parameters<typeof decide>) => {
    const { decision } = await decide(...args);
    return decision.kind === 'accepted' ? decision.user.uid : decision;
  };

  test('is read if the feature gate is enabled', async () => {
    expect(
      await userOf([
        ['k8sUID', 'u-1'],
        ['CN', 'ada'],
      ]),
    ).toBe('u-1');
    expect(
      await userOf(
        [
          ['k8sUID', 'u-1'],
          ['CN', 'ada'],
        ],
        { uid: false },
      ),
    ).toBe('');
  });

  test('is rejected if empty or repeated', async () => {
    expect(await userOf(twice)).toMatchObject({
      reason: { code: 'AG5042', message: 'expected 1 UID, but found multiple: [a b]' },
    });
    expect(
      await userOf([
        ['k8sUID', ''],
        ['CN', 'ada'],
      ]),
    ).toMatchObject({
      reason: { code: 'AG5042', message: 'UID cannot be an empty string' },
    });
    expect(await userOf(twice, { uid: false })).toBe('');
    expect(await userOf([['k8sUID', '']])).toEqual({ kind: 'noOpinion' });
  });
});

test('returns no audiences and traces its decision', async () => {
  const { decision, steps } = await decide([['CN', 'ada']]);
  expect(decision).toMatchObject({ kind: 'accepted', by: 'client-certificate', audiences: [] });
  expect(steps).toEqual([
    {
      at: 'client-certificate',
      what: 'client certificate',
      outcome: 'passed',
      detail: 'user ada',
    },
  ]);
  expect((await decide([['O', 'crew']])).steps).toMatchObject([{ outcome: 'skipped' }]);
});

test('is explained in sentences', () => {
  const { path, sentence, parts } = explainClientCertificate(compiled({ uid: false }).node);
  expect([path, sentence]).toEqual([
    'client-certificate',
    'accepts client certificates of the authorities in "/etc/ca.crt".',
  ]);
  expect(parts.map((part) => `${part.path}: ${part.sentence}`)).toEqual([
    'client-certificate.username: the username is the last common name; a certificate without one is ignored.',
    'client-certificate.groups: the groups are the organizations, in order.',
    'client-certificate.uid: there is no UID: the feature gate AllowParsingUserUIDFromCertAuth is disabled.',
    'client-certificate.extra: "authentication.kubernetes.io/credential-id" is the digest of the certificate.',
  ]);
});
