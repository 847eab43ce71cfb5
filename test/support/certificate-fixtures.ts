/** Certificates of clients and proxies, modules that verify them, and requests that present them. */
import { linkAuthenticatingProxy } from '../../engine/src/authenticators/authenticating-proxy/authenticate.ts';
import { linkClientCertificate } from '../../engine/src/authenticators/client-certificate/authenticate.ts';
import type { Authenticator } from '../../engine/src/authenticators/module.ts';
import {
  loadCertificatePool,
  type ReloadablePool,
} from '../../engine/src/certificates/certificate-pool.ts';
import type { Decision } from '../../engine/src/model/decision.ts';
import type { HeaderList } from '../../engine/src/model/header-list.ts';
import type { AuthenticationRequest, PeerCertificates } from '../../engine/src/model/request.ts';
import type { CertificateSignatures } from '../../engine/src/ports/certificate-signatures.ts';
import { type CertificateSpec, type MadeCertificate, makeCert } from '../attacks/lib/der.mjs';
import { type FakePorts, fakeClock, fakePorts } from './fake-ports.ts';

/** Returns the certificate authority with that name. */
export const authorityNamed = (name: string, spec: CertificateSpec = {}): MadeCertificate =>
  makeCert({ subject: [['CN', name]], ca: true, ...spec });

export const poolWith = (
  ...authorities: readonly MadeCertificate[]
): ReloadablePool & { replace(...next: readonly MadeCertificate[]): void } => {
  const bundle = (list: readonly MadeCertificate[]): Uint8Array =>
    new TextEncoder().encode(list.map(({ pem }) => pem).join(''));
  const pool = loadCertificatePool('client-ca-bundle::ca.crt', bundle(authorities));
  if (typeof pool === 'string') throw new Error(pool);
  return {
    ...pool,
    replace(...next) {
      pool.reload(bundle(next));
    },
  };
};

/** One value a connection. */
export const connectionWith = (...sent: readonly MadeCertificate[]): PeerCertificates => ({
  chain: sent.map(({ der }) => der),
});

/** Creates ports with a fake clock that starts at the current time; counts signature verifications. */
export const certificatePorts = (): FakePorts & { readonly checks: () => number } => {
  const ports = fakePorts({ clock: fakeClock(Date.now()) });
  let checks = 0;
  const certificateSignatures: CertificateSignatures = {
    verify(signature) {
      checks += 1;
      return ports.certificateSignatures.verify(signature);
    },
  };
  return { ...ports, certificateSignatures, checks: () => checks };
};

export const clientModule = (
  pool: ReloadablePool,
  ports: FakePorts = certificatePorts(),
): Authenticator =>
  linkClientCertificate(
    {
      module: 'client-certificate',
      caFile: 'ca.crt',
      readsUid: true,
      credentialIdKey: 'authentication.kubernetes.io/credential-id',
    },
    ports,
    { pool },
  );

export const proxyModule = (
  pool: ReloadablePool,
  {
    allowedNames = [],
    ports = certificatePorts(),
  }: { readonly allowedNames?: readonly string[]; readonly ports?: FakePorts } = {},
): Authenticator =>
  linkAuthenticatingProxy(
    {
      module: 'authenticating-proxy',
      caFile: 'proxy-ca.crt',
      allowedNames,
      headers: {
        username: ['X-Remote-User'],
        uid: ['X-Remote-Uid'],
        groups: ['X-Remote-Group'],
        extraPrefixes: ['X-Remote-Extra-'],
      },
    },
    ports,
    { pool },
  );

export const headersOf = (
  ...fields: readonly (readonly [name: string, value: string])[]
): HeaderList => fields.map(([name, value]) => ({ name, value }));

/** Returns `accepted NAME`, the message of a rejection, or `no opinion`. */
export const askModule = async (
  module: Authenticator,
  parts: Partial<AuthenticationRequest>,
): Promise<string> => {
  const decision = await decideBy(module, parts);
  if (decision.kind === 'accepted') return `accepted ${decision.user.username}`;
  return decision.kind === 'rejected' ? decision.reason.message : 'no opinion';
};

export const decideBy = (
  module: Authenticator,
  parts: Partial<AuthenticationRequest>,
): Decision | Promise<Decision> =>
  module.authenticate(
    { path: '/', token: undefined, audiences: [], ...parts },
    new AbortController(),
  );
