/**
 * The environment of the lab, created for each run: certificates, signing keys, tokens, the
 * configuration under an API domain, and a local issuer over TLS.
 */
import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import {
  type IssuedCertificate,
  issueCertificate,
} from '../../engine/src/server/tls/issue-certificate.ts';

export interface LabEnvironment {
  readonly authorityPem: string;
  readonly issuerUrl: string;
  readonly server: IssuedCertificate;
  /** Tokens by the name that requests use. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Returns the configuration file for the API domain. */
  configuration(domain: string): string;
  close(): Promise<void>;
}

type Claims = Readonly<Record<string, unknown>>;

const hour = 3600;
const day = 24 * hour;

export const makeLabEnvironment = async (): Promise<LabEnvironment> => {
  const now = Date.now();
  const validity = { notBefore: now - day * 1000, notAfter: now + 30 * day * 1000 };
  const authority = issueCertificate({ commonName: 'lab-ca', role: 'authority', ...validity });
  const issue = (): IssuedCertificate =>
    issueCertificate(
      { commonName: 'localhost', role: 'server', hosts: ['localhost', '127.0.0.1'], ...validity },
      authority,
    );
  const keys = makeKeys();
  const issuer = await startIssuer(issue(), keys);
  const tokens = makeTokens(issuer.url, keys, Math.floor(now / 1000));
  return {
    authorityPem: authority.certificatePem,
    issuerUrl: issuer.url,
    server: issue(),
    tokens,
    configuration: (domain) => configurationText(domain, issuer.url, authority.certificatePem),
    close: async () => {
      issuer.server.closeAllConnections();
      issuer.server.close();
      await once(issuer.server, 'close');
    },
  };
};

interface LabKeys {
  readonly k1: KeyPair;
  readonly k2: KeyPair;
  readonly rogue: KeyPair;
}
interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const makeKeys = (): LabKeys => ({
  k1: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  k2: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rogue: generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

const startIssuer = async (
  certificate: IssuedCertificate,
  keys: LabKeys,
): Promise<{ readonly server: Server; readonly url: string }> => {
  const documents = new Map<string, unknown>();
  const server = createServer(
    { cert: certificate.certificatePem, key: certificate.privateKeyPem },
    (request, response) => {
      const document = documents.get(request.url ?? '');
      response.statusCode = document === undefined ? 404 : 200;
      response.setHeader('Content-Type', 'application/json');
      response.end(document === undefined ? '' : JSON.stringify(document));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `https://localhost:${port}`;
  documents.set('/.well-known/openid-configuration', {
    issuer: url,
    jwks_uri: `${url}/jwks`,
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    authorization_endpoint: `${url}/auth`,
  });
  const jwk = (key: KeyObject, kid: string, alg: string) => ({
    ...key.export({ format: 'jwk' }),
    kid,
    use: 'sig',
    alg,
  });
  documents.set('/jwks', {
    keys: [jwk(keys.k1.publicKey, 'k1', 'RS256'), jwk(keys.k2.publicKey, 'k2', 'ES256')],
  });
  return { server, url };
};

interface TokenSpec {
  readonly claims?: Claims;
  readonly without?: readonly string[];
  readonly key?: keyof LabKeys;
  readonly algorithm?: 'RS256' | 'ES256' | 'HS256' | 'none';
  /** The key ID in the header; `undefined` is that of the key, `null` omits it. */
  readonly kid?: string | null;
}

const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url');

const makeTokens = (issuer: string, keys: LabKeys, now: number): ReadonlyMap<string, string> => {
  const base: Claims = {
    iss: issuer,
    aud: ['kube'],
    sub: 'jane',
    exp: now + day,
    iat: now,
    nbf: now - 5,
    email: 'jane@example.com',
    email_verified: true,
    groups: ['g1', 'g2'],
    uid: 'j-1',
    roles: 'r1,r2',
    dept: { name: 'eng', floor: 3 },
  };
  const token = (spec: TokenSpec = {}): string => {
    const { algorithm = 'RS256', key = 'k1', kid = 'k1' } = spec;
    const all = Object.entries({ ...base, ...spec.claims });
    const claims = Object.fromEntries(all.filter(([name]) => !spec.without?.includes(name)));
    const header = { alg: algorithm, typ: 'JWT', ...(kid === null ? {} : { kid }) };
    const input = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;
    return `${input}.${signature(input, algorithm, keys[key].privateKey)}`;
  };
  const good = token();
  const [header = '', , signaturePart = ''] = good.split('.');
  const other = base64url(JSON.stringify({ ...base, sub: 'root' }));
  return new Map([
    ['good', good],
    ['nokid', token({ kid: null })],
    ['badkid', token({ kid: 'zz' })],
    ['none', token({ algorithm: 'none' })],
    ['expired', token({ claims: { exp: now - hour } })],
    ['wrongaud', token({ claims: { aud: 'x' } })],
    ['nosub', token({ without: ['sub'] })],
    ['nogroups', token({ without: ['groups'] })],
    ['groupbad', token({ claims: { groups: 5 } })],
    ['sysuser', token({ claims: { sub: 'system:admin' } })],
    ['emptysub', token({ claims: { sub: '' } })],
    ['noexp', token({ without: ['exp'] })],
    ['longlived', token({ claims: { exp: now + 10 * day } })],
    ['unverified', token({ claims: { email_verified: false } })],
    ['unicode', token({ claims: { sub: 'jürgen-ß-名' } })],
    ['iatfuture', token({ claims: { iat: now + 2 * hour } })],
    ['tampered', `${header}.${other}.${signaturePart}`],
    ['twoparts', good.slice(0, good.lastIndexOf('.'))],
    ['padded', `${good}=`],
    ['future', token({ claims: { nbf: now + 10 * hour } })],
    ['audstr', token({ claims: { aud: 'kube' } })],
    ['wrongiss', token({ claims: { iss: `${issuer}/` } })],
    ['groupstr', token({ claims: { groups: 'solo' } })],
    ['hd', token({ claims: { hd: 'evil.example' } })],
    ['dept', token({ claims: { dept: { name: 'ops', floor: 9 } } })],
    ['truncsig', good.slice(0, -4)],
    ['es', token({ key: 'k2', algorithm: 'ES256', kid: 'k2' })],
    ['rogue', token({ key: 'rogue' })],
    ['hs', token({ algorithm: 'HS256' })],
  ]);
};

const signature = (
  input: string,
  algorithm: NonNullable<TokenSpec['algorithm']>,
  key: KeyObject,
): string => {
  if (algorithm === 'none') return '';
  if (algorithm === 'HS256') {
    return createHmac('sha256', 'x'.repeat(32)).update(input).digest('base64url');
  }
  return signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  );
};

const configurationText = (domain: string, issuer: string, authorityPem: string): string =>
  `apiVersion: apiserver.config.${domain}/v1beta1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${issuer}
    audiences: [kube, other]
    audienceMatchPolicy: MatchAny
    certificateAuthority: |
      ${authorityPem.replaceAll('\n', '\n      ')}
  claimValidationRules:
  - expression: "!has(claims.hd) || claims.hd == 'example.com'"
    message: hosted domain must be example.com
  - expression: "claims.exp - claims.nbf <= 90000"
    message: token lives too long
  claimMappings:
    username: {expression: "'oidc:' + claims.sub"}
    groups: {expression: "has(claims.groups) ? (type(claims.groups) == list ? claims.groups : [claims.groups]) : []"}
    uid: {claim: uid}
    extra:
    - {key: 'example.com/dept', valueExpression: "has(claims.dept) ? claims.dept.name : ''"}
    - {key: 'example.com/roles', valueExpression: "claims.?roles.orValue('').split(',').map(r, r)"}
  userValidationRules:
  - expression: "!user.username.startsWith('oidc:system:')"
    message: reserved name
anonymous:
  enabled: true
  conditions:
  - path: /livez
  - path: /readyz
`;
