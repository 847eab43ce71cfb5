/**
 * Issued tokens and the documents of their issuer, compared with kube-apiserver's responses to the
 * same bytes. Clock, ID and signature of each recorded token are given, so whole responses are
 * compared.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountTokenRules } from '../../../engine/src/authenticators/service-account-token/token-rules.ts';
import { allHeaders, type HeaderList } from '../../../engine/src/model/header-list.ts';
import { nodeDigest } from '../../../engine/src/node/digest.ts';
import { nodePrivateKeys } from '../../../engine/src/node/private-keys.ts';
import { nodeSignatures } from '../../../engine/src/node/signatures.ts';
import type { TokenSigner } from '../../../engine/src/ports/signing.ts';
import { StoreError } from '../../../engine/src/ports/store.ts';
import {
  issuerDocumentResponse,
  issuerDocuments,
} from '../../../engine/src/server/endpoints/issuer-documents.ts';
import {
  createTokenRequest,
  type TokenRequestContext,
} from '../../../engine/src/server/endpoints/token-requests.ts';
import type { Exchange } from '../../../engine/src/server/http/exchange.ts';
import type { HandlerResponse } from '../../../engine/src/server/http/handler-response.ts';
import { requestInfo } from '../../../engine/src/server/http/request-info.ts';
import { parseTarget } from '../../../engine/src/server/http/target.ts';
import { readAccountKeys } from '../../../engine/src/signed-token/account-keys.ts';
import { accountView } from '../../support/answer-modules/account-objects.ts';

interface World {
  readonly objects: readonly { readonly kind: string }[];
  readonly publicKeys: string;
  readonly issuer: string;
  readonly address: string;
  readonly maxExpirationSeconds: number;
}

interface Recorded {
  readonly id: string;
  readonly input: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly string[];
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  readonly expected: {
    readonly status: number;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
}

const [worldLine = '', ...lines] = readFileSync(
  join(import.meta.dirname, 'token-requests.jsonl'),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '');
const world: World = JSON.parse(worldLine);
const recorded = lines.map((line): Recorded => JSON.parse(line));

const keysReading = readAccountKeys([{ path: 'sa.pub', text: world.publicKeys }], {
  digest: nodeDigest(),
  signatures: nodeSignatures(),
  privateKeys: nodePrivateKeys(),
});
if (keysReading.kind === 'error') throw new Error(keysReading.error);
const { keys } = keysReading;

const ofKind = (kind: string) => world.objects.filter((object) => object.kind === kind);
const view = accountView({
  serviceAccounts: ofKind('ServiceAccount'),
  secrets: ofKind('Secret'),
  pods: ofKind('Pod'),
  nodes: ofKind('Node'),
});

const store: TokenRequestContext['store'] = {
  async get(key) {
    if (key.resource === 'namespaces') {
      return key.name === 'team' ? { key, revision: '1', object: new Map() } : undefined;
    }
    const found = await view.find(key);
    return found.kind === 'found' ? { key, revision: '1', object: found.object } : undefined;
  },
};

const exchangeOf = ({ input }: Recorded): Exchange => {
  const target = parseTarget(input.path);
  if (target === undefined) throw new Error('a target that no server would read');
  const headers: HeaderList = input.headers.map((line) => {
    const [name = '', ...value] = line.split(': ');
    return { name, value: value.join(': ') };
  });
  const bytes =
    input.bodyBase64 === undefined
      ? Buffer.from(input.body ?? '')
      : Buffer.from(input.bodyBase64, 'base64');
  return {
    method: input.method,
    headers,
    target,
    info: requestInfo(input.method, target),
    warnings: [],
    isCanceled: () => false,
    readBody: () => Promise.resolve({ kind: 'bytes', bytes }),
  };
};

const bodyOf = ({ body, bodyBase64 }: { body?: string; bodyBase64?: string }): Buffer =>
  bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');

/** Returns the token in a recorded response: its time, ID and signature. */
const tokenIn = ({ expected }: Recorded) => {
  const found = /eyJ[\w-]+\.([\w-]+)\.([\w-]+)/.exec(bodyOf(expected).toString('latin1'));
  const claims = JSON.parse(Buffer.from(found?.[1] ?? 'e30', 'base64url').toString());
  return {
    now: Number(claims.iat ?? 0) * 1000,
    id: String(claims.jti ?? ''),
    signature: Buffer.from(found?.[2] ?? '', 'base64url'),
  };
};

const answerTo = (
  row: Recorded,
  exchange: Exchange,
): HandlerResponse | Promise<HandlerResponse> => {
  if (exchange.target.path !== '/openid/v1/jwks' && !exchange.target.path.startsWith('/.well')) {
    const { now, id, signature } = tokenIn(row);
    const [key] = keys.all;
    const signer: TokenSigner = {
      keyId: key?.keyId ?? '',
      algorithm: key?.algorithm ?? '',
      sign: () => Promise.resolve(signature),
    };
    const [, namespace = '', name = ''] =
      /namespaces\/(\w+)\/serviceaccounts\/(\w+)/.exec(exchange.target.path) ?? [];
    return createTokenRequest(exchange, {
      namespace,
      name,
      domain: 'k8s.io',
      issuer: world.issuer,
      apiAudiences: [world.issuer],
      maxExpirationSeconds: world.maxExpirationSeconds,
      extendExpiration: true,
      rules: accountTokenRules(new Map()),
      uidMismatch: 'rejected',
      signer,
      store,
      randomness: { fraction: () => 0, uuid: () => id },
      now,
      recordIssued: () => {},
    });
  }
  const made = issuerDocuments({ ...world, jwksUri: '', keys: keys.all });
  if (made.kind === 'none') throw new Error(made.reason);
  const document = exchange.target.path === '/openid/v1/jwks' ? 'keys' : 'configuration';
  return issuerDocumentResponse(exchange, document, made.documents);
};

describe('as recorded', () => {
  test.each(recorded)('$id', async (row) => {
    const exchange = exchangeOf(row);
    const answer = await answerTo(row, exchange);
    const header = (name: string) =>
      allHeaders(
        answer.headers.map(([field, value]) => ({ name: field, value })),
        name,
      );
    expect(answer.status).toBe(row.expected.status);
    expect(header('content-type')).toEqual(row.expected.headers['content-type']);
    expect(exchange.warnings.map((text) => `299 - ${JSON.stringify(text)}`)).toEqual(
      row.expected.headers.warning ?? [],
    );
    const wanted = bodyOf(row.expected);
    // The body of a response to HEAD is removed later.
    if (row.input.method !== 'HEAD') {
      expect(Buffer.from(answer.body).toString('latin1')).toBe(wanted.toString('latin1'));
    }
    if (answer.status === 200) {
      expect(header('cache-control')).toEqual(row.expected.headers['cache-control']);
    }
  });
});

describe('without token issuing', () => {
  const [first] = recorded;
  if (first === undefined) throw new Error('no recorded row');

  const asked = async (more: Partial<TokenRequestContext>) => {
    const answer = await createTokenRequest(exchangeOf(first), {
      namespace: 'team',
      name: 'builder',
      domain: 'k8s.io',
      issuer: world.issuer,
      apiAudiences: [world.issuer],
      maxExpirationSeconds: 0,
      extendExpiration: true,
      rules: accountTokenRules(new Map()),
      uidMismatch: 'rejected',
      signer: {
        keyId: 'k',
        algorithm: 'ES256',
        sign: () => Promise.resolve(new Uint8Array(64)),
      },
      store,
      randomness: { fraction: () => 0, uuid: () => 'id' },
      now: 0,
      recordIssued: () => {},
      ...more,
    });
    const status = JSON.parse(Buffer.from(answer.body).toString());
    return { code: answer.status, message: status.message, details: status.details };
  };

  test('the path does not exist without a signer', async () => {
    expect(await asked({ signer: undefined })).toEqual({
      code: 404,
      message: 'the server could not find the requested resource',
      details: {},
    });
  });

  test('a terminating namespace rejects new tokens', async () => {
    const leaving: TokenRequestContext['store'] = {
      get: async (key) =>
        key.resource === 'namespaces'
          ? {
              key,
              revision: '1',
              object: new Map([['status', new Map([['phase', 'Terminating']])]]),
            }
          : store.get(key),
    };
    expect(await asked({ store: leaving })).toEqual({
      code: 403,
      message:
        'serviceaccounts "builder" is forbidden: unable to create new content in namespace team because it is being terminated',
      details: {
        name: 'builder',
        kind: 'serviceaccounts',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace team is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
  });

  test('reports a store that does not respond, with a Retry-After', async () => {
    const failing = { get: () => Promise.reject(new StoreError('unavailable', 'no leader')) };
    expect(await asked({ store: failing })).toMatchObject({ code: 503, message: 'no leader' });
  });

  test('a failing signing key is an internal error without details', async () => {
    const signer = {
      keyId: 'k',
      algorithm: 'ES256',
      sign: () => Promise.reject(new Error('secret words')),
    };
    expect(await asked({ signer })).toMatchObject({
      code: 500,
      message: 'Internal error occurred: failed to generate token',
    });
  });
});
