/** Answers cases about client certificates. */
import { linkClientCertificate } from '../../../engine/src/authenticators/client-certificate/authenticate.ts';
import { credentialIdKey } from '../../../engine/src/model/api-domain.ts';
import { fakeClock, fakePorts } from '../fake-ports.ts';
import { poolOf } from './authorities.ts';
import { decisionAnswer } from './decision-answer.ts';
import { type GatedConfig, gatesOf } from './gates.ts';
import type { CaseLine } from './module-cases.ts';
import { handshakeFailure, peerCertificates } from './peer-certificates.ts';

export interface X509Case
  extends CaseLine<
    GatedConfig & { readonly clientCA?: string },
    { readonly noTLS?: boolean; readonly peerCerts?: readonly string[] | null }
  > {
  readonly clock?: string;
}

export const answerX509 = async (line: X509Case): Promise<object> => {
  const { config, input } = line;
  const failure = handshakeFailure(input.peerCerts);
  if (failure !== undefined) return failure;
  const ports = fakePorts({ clock: fakeClock(Date.parse(line.clock ?? '2026-11-21T12:00:00Z')) });
  const pool = poolOf(config.clientCA);
  const { authenticate } = linkClientCertificate(
    {
      module: 'client-certificate',
      caFile: pool.name,
      readsUid: gatesOf(config).get('AllowParsingUserUIDFromCertAuth') ?? false,
      credentialIdKey: credentialIdKey('k8s.io'),
    },
    ports,
    { pool },
  );
  const certificates = input.noTLS === true ? undefined : peerCertificates(input.peerCerts);
  const request = {
    path: '/',
    token: undefined,
    audiences: [],
    ...(certificates === undefined ? {} : { certificates }),
  };
  return decisionAnswer(await authenticate(request, new AbortController()));
};
