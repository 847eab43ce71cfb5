import { describe, expect, test } from 'vitest';
import { compileAuthenticatingProxy } from '../../../../engine/src/authenticators/authenticating-proxy/compile.ts';
import {
  flags,
  overlapProblem,
  readAuthenticatingProxy,
  validateAuthenticatingProxy,
  warnAuthenticatingProxy,
} from '../../../../engine/src/authenticators/authenticating-proxy/config.ts';
import { explainAuthenticatingProxy } from '../../../../engine/src/authenticators/authenticating-proxy/explain.ts';
import { parseFlags } from '../../../../engine/src/flags/parse-flags.ts';
import { defaultGates, readGates } from '../../../../engine/src/model/feature-gates.ts';
import type { TraceStep } from '../../../../engine/src/model/trace.ts';
import { makeCert } from '../../../attacks/lib/der.mjs';
import {
  authorityNamed,
  connectionWith,
  headersOf,
  poolWith,
  proxyModule,
} from '../../../support/certificate-fixtures.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (...args: readonly string[]) =>
  readAuthenticatingProxy(parseFlags(flags, args).values);
const problems = (args: readonly string[], gates = defaultGates(36)) =>
  validateAuthenticatingProxy(read(...args), gates).map(({ message }) => message);
const lacksUid =
  '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work';

describe('flag validation matches kube-apiserver', () => {
  test.each([
    [[], []],
    [
      [
        '--requestheader-username-headers= ',
        '--requestheader-group-headers=',
        '--requestheader-uid-headers=X-U',
        '--requestheader-allowed-names=a, ,b',
        '--requestheader-extra-headers-prefix=\t',
      ],
      [
        'empty value in "requestheader-username-headers"',
        'empty value in "requestheader-extra-headers-prefix"',
        'empty value in "requestheader-allowed-names"',
        lacksUid,
      ],
    ],
    [['--requestheader-uid-headers='], []],
    [['--requestheader-uid-headers= '], ['empty value in "requestheader-uid-headers"', lacksUid]],
    [['--requestheader-uid-headers=X-U'], [lacksUid]],
    [['--requestheader-uid-headers=x-remote-UID'], []],
    [
      ['--requestheader-uid-headers= ,X-Remote-Uid'],
      ['empty value in "requestheader-uid-headers"'],
    ],
    [
      ['--requestheader-group-headers=X-Remote-Group,'],
      ['empty value in "requestheader-group-headers"'],
    ],
    [
      ['--requestheader-username-headers=\u0085'],
      ['empty value in "requestheader-username-headers"'],
    ],
    [['--requestheader-username-headers=\ufeff'], []],
  ])('%j', (args, messages) => {
    expect(problems(args)).toEqual(messages);
  });

  test('UID headers require the feature gate', () => {
    const { gates } = readGates(['RemoteRequestHeaderUID=false'], 36);
    const needs =
      '--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled';
    expect(problems(['--requestheader-uid-headers=X-U, '], gates)).toEqual([needs]);
    expect(problems([], gates)).toEqual([]);
  });
});

test('warns about missing standard headers', () => {
  const unusual = read(
    '--requestheader-username-headers=X-My-User',
    '--requestheader-group-headers=X-My-Group',
    '--requestheader-extra-headers-prefix=X-My-',
  );
  expect(warnAuthenticatingProxy(unusual)).toEqual([
    '--requestheader-username-headers is set without specifying the standard X-Remote-User header - API aggregation will not work',
    '--requestheader-group-headers is set without specifying the standard X-Remote-Group header - API aggregation will not work',
    '--requestheader-extra-headers-prefix is set without specifying the standard X-Remote-Extra- header prefix - API aggregation will not work',
  ]);
  const usual = read(
    '--requestheader-username-headers=x-remote-user',
    '--requestheader-group-headers=X-Remote-Group,X-My-Group',
  );
  expect(warnAuthenticatingProxy(usual)).toEqual([]);
});

describe('overlapping CA bundles', () => {
  const one = bytes(authorityNamed('one').pem);
  test('are an error if no names are allowed', () => {
    expect(overlapProblem({ clientBundle: one, proxyBundle: one, allowedNames: [] })).toEqual({
      severity: 'error',
      message:
        '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users',
    });
  });
  test('are not reported if a bundle is unreadable', () => {
    expect(
      overlapProblem({ clientBundle: one, proxyBundle: bytes('x'), allowedNames: [] }),
    ).toBeUndefined();
  });
});

test('an invalid bundle has kube-apiserver’s error', () => {
  const source = { ...read(), caFile: 'proxy.pem', bytes: bytes('garbage') };
  expect(compileAuthenticatingProxy(source)).toEqual({
    kind: 'failed',
    error:
      'error loading CA bundle for "request-header::proxy.pem": data does not contain any valid RSA or ECDSA certificates',
  });
});

test('returns no audiences and traces its decision', async () => {
  const ca = authorityNamed('proxy-ca');
  const certificates = connectionWith(makeCert({ subject: [['CN', 'proxy']] }, ca));
  const decideTraced = async (allowedNames: readonly string[], user: string) => {
    const steps: TraceStep[] = [];
    const decision = await proxyModule(poolWith(ca), { allowedNames }).authenticate(
      {
        path: '/',
        token: undefined,
        audiences: ['api'],
        certificates,
        headers: headersOf(['X-Remote-User', user]),
      },
      new AbortController(),
      { step: (step) => steps.push(step) },
    );
    return { decision, steps: steps.map(({ outcome, detail }) => [outcome, detail]) };
  };
  const { decision, steps } = await decideTraced([], 'ada');
  expect(decision).toMatchObject({ kind: 'accepted', by: 'authenticating-proxy', audiences: [] });
  expect(steps).toEqual([['passed', 'user ada']]);
  expect((await decideTraced([], '')).steps).toEqual([['skipped', 'no header has a username']]);
  const message = 'x509: subject with cn=proxy is not in the allowed list';
  const rejected = await decideTraced(['other'], 'ada');
  expect(rejected.decision).toMatchObject({ reason: { code: 'AG5043', message } });
  expect(rejected.steps).toEqual([['failed', message]]);
});

test('is explained in sentences', () => {
  const { sentence, parts } = explainAuthenticatingProxy({
    module: 'authenticating-proxy',
    caFile: 'proxy.pem',
    allowedNames: ['a', 'b'],
    headers: { username: ['X-A', 'X-B'], uid: [], groups: ['X-G'], extraPrefixes: [] },
  });
  expect(sentence).toBe(
    'accepts users from proxies with a client certificate of the authorities in "proxy.pem" and the common name "a" or "b".',
  );
  expect(parts.map((part) => part.sentence)).toEqual([
    'the username is the first value of "X-A" or "X-B".',
    'there is no UID.',
    'the groups are all values of "X-G".',
    'there are no extra values.',
  ]);
});
