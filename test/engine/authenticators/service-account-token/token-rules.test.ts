/** How releases and their feature gates affect service account tokens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { signToken } from '../../../../engine/src/authenticators/service-account-token/claims.ts';
import {
  decideTokenRequest,
  type TokenRequest,
} from '../../../../engine/src/authenticators/service-account-token/token-request.ts';
import {
  accountTokenRules,
  uidMismatchRule,
} from '../../../../engine/src/authenticators/service-account-token/token-rules.ts';
import { readGates } from '../../../../engine/src/model/feature-gates.ts';
import type { Release } from '../../../../engine/src/model/release.ts';
import { readServeOptions } from '../../../../engine/src/server/flags/options.ts';
import {
  accountAuthenticator,
  builder,
  claimsAt,
  issuer,
  keysOf,
  newKey,
  pemOf,
  signerOf,
} from '../../../support/account-fixtures.ts';
import { accountView } from '../../../support/answer-modules/account-objects.ts';
import {
  answerTokenRequest,
  type TokenRequestCase,
} from '../../../support/answer-modules/tokenrequest.ts';

type Variation = TokenRequestCase & { readonly expect: unknown };

const variations = readFileSync(join(import.meta.dirname, 'request-variations.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Variation => JSON.parse(line));

describe('kube-apiserver’s answers with TokenRequestServiceAccountUIDValidation disabled', () => {
  test.each(variations)('$id', async ({ expect: wanted, ...line }) => {
    expect(await answerTokenRequest(line)).toEqual(wanted);
  });
});

const node = { metadata: { name: 'node-1', uid: 'node-uid' } };
const pod = {
  metadata: { name: 'web', namespace: 'team', uid: 'pod-uid' },
  spec: { serviceAccountName: 'builder', nodeName: 'node-1' },
};
const objects = { serviceAccounts: [builder], pods: [pod], nodes: [node] };
const view = accountView(objects);

const requestToken = (
  release: Release,
  values: readonly string[],
  more: Partial<TokenRequest> = {},
): ReturnType<typeof decideTokenRequest> => {
  const { gates } = readGates(values, release);
  return decideTokenRequest(
    {
      namespace: 'team',
      account: 'builder',
      name: '',
      statedNamespace: '',
      uid: '',
      audiences: [],
      expirationSeconds: 3600n,
      boundObjectRef: undefined,
      ...more,
    },
    {
      issuer,
      apiAudiences: [issuer],
      maxExpirationSeconds: 0,
      extendExpiration: true,
      rules: accountTokenRules(gates),
      uidMismatch: uidMismatchRule(gates, release),
      group: 'authentication.k8s.io',
      domain: 'k8s.io',
      now: 0,
      newId: () => 'id',
      find: async (key) => {
        const found = await view.find(key);
        return found.kind === 'found' ? found.object : undefined;
      },
    },
  );
};

describe('a new token', () => {
  test.each<[Release, string, string]>([
    [33, 'zzz', ''],
    [33, '', ''],
    [34, 'zzz', '409'],
    [37, 'zzz', '409'],
    [34, '', 'uid-1'],
  ])('in 1.%i for the UID %j: %j', async (release, uid, wanted) => {
    const outcome = await requestToken(release, [], { uid });
    expect(outcome.kind === 'error' ? String(outcome.error.code) : outcome.accountUid).toBe(wanted);
    expect(outcome.warnings).toEqual([]);
  });

  test.each([[[], 'id'] as const, [['ServiceAccountTokenJTI=false'], undefined] as const])(
    'with %j has the ID %s',
    async (values, id) => {
      const outcome = await requestToken(31, values);
      if (outcome.kind === 'error') throw new Error(outcome.error.message);
      expect(outcome.claims.id).toBe(id);
      expect(outcome.annotations.size).toBe(id === undefined ? 0 : 1);
    },
  );

  const web = { kind: 'Pod', apiVersion: 'v1', name: 'web', uid: '' };
  test.each([[[], node.metadata] as const, [['ServiceAccountTokenPodNodeInfo=false'], undefined]])(
    'of a pod with %j has the node %j',
    async (values, wanted) => {
      const outcome = await requestToken(30, values, { boundObjectRef: web });
      if (outcome.kind === 'error') throw new Error(outcome.error.message);
      expect(outcome.claims.node).toEqual(wanted);
    },
  );

  const binding = 'ServiceAccountTokenNodeBinding';
  test.each<[Release, readonly string[], boolean]>([
    [30, [], false],
    [30, [`${binding}=true`], true],
    [31, [], true],
    [32, [`${binding}=false`], false],
    [33, [], true],
  ])('in 1.%i with %j can be bound to a node: %s', async (release, values, isBound) => {
    const boundTo = { kind: 'Node', apiVersion: 'v1', name: 'node-1', uid: '' };
    const outcome = await requestToken(release, values, { boundObjectRef: boundTo });
    expect(outcome.kind === 'error' ? outcome.error.message : 'granted').toBe(
      isBound
        ? 'granted'
        : `cannot bind token to a Node object as the "${binding}" feature-gate is disabled`,
    );
  });
});

describe('a presented token', () => {
  const key = newKey('P-256');
  const keys = keysOf(pemOf(key, 'sec1'));
  const signer = signerOf(pemOf(key, 'sec1'));
  const decideBound = async (values: readonly string[], bound: Parameters<typeof claimsAt>[1]) => {
    const { now, authenticate } = accountAuthenticator(keys, objects, readGates(values, 31).gates);
    const decision = await authenticate(await signToken(claimsAt(now, bound), signer));
    if (decision.kind === 'rejected') return decision.reason.message;
    return decision.kind === 'accepted' ? [...decision.user.extra.keys()] : decision.kind;
  };
  const prefix = 'authentication.platform.io/';
  const named = (...names: readonly string[]) => names.map((name) => `${prefix}${name}`);
  const podBound = { pod: { name: 'web', uid: 'pod-uid' }, node: node.metadata };

  test.each([
    [[], podBound, named('pod-name', 'pod-uid', 'credential-id', 'node-name', 'node-uid')],
    [
      ['ServiceAccountTokenJTI=false'],
      podBound,
      named('pod-name', 'pod-uid', 'node-name', 'node-uid'),
    ],
    [
      ['ServiceAccountTokenPodNodeInfo=false'],
      podBound,
      named('pod-name', 'pod-uid', 'credential-id'),
    ],
    [
      ['ServiceAccountTokenPodNodeInfo=false'],
      { node: node.metadata },
      named('credential-id', 'node-name', 'node-uid'),
    ],
    [
      ['ServiceAccountTokenNodeBindingValidation=false'],
      { node: node.metadata },
      'token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled',
    ],
    [
      ['ServiceAccountTokenNodeBindingValidation=false'],
      { node: { name: 'gone', uid: '' }, account: { name: 'missing', uid: '' } },
      'serviceaccounts "missing" not found',
    ],
    [
      ['ServiceAccountTokenNodeBindingValidation=false'],
      podBound,
      named('pod-name', 'pod-uid', 'credential-id', 'node-name', 'node-uid'),
    ],
  ])('with %j, bound to %j', async (values, bound, wanted) => {
    expect(await decideBound(values, bound)).toEqual(wanted);
  });
});

test.each<[string, string, boolean]>([
  ['1.30', 'ServiceAccountTokenNodeBinding=true', true],
  [
    '1.30',
    'ServiceAccountTokenNodeBinding=true,ServiceAccountTokenNodeBindingValidation=false',
    false,
  ],
  ['1.31', 'ServiceAccountTokenNodeBindingValidation=false', false],
  ['1.30', 'ServiceAccountTokenNodeBindingValidation=false', true],
])('a server of %s with %s starts: %s', (version, gates, starts) => {
  const reading = readServeOptions([`--target-version=${version}`, `--feature-gates=${gates}`]);
  const messages =
    reading.kind === 'problems' ? reading.problems.map(({ message }) => message) : [];
  expect(messages).toEqual(
    starts
      ? []
      : [
          'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled',
        ],
  );
});
