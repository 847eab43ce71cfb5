/** Answers cases about certificates of clients. */
import {
  authenticateClientCertificate,
  compileClientCertificate,
} from '../../../engine/src/authenticators/client-certificate/index.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import { defaultGates } from '../../../engine/src/model/feature-gates.ts';
import { fakeClock, fakePorts } from '../fake-ports.ts';
import { decisionAnswer } from './decision-answer.ts';
import type { CaseLine } from './module-cases.ts';
import { handshakeFailure, peerCertificates } from './peer-certificates.ts';

export interface X509Case
  extends CaseLine<
    { readonly clientCA?: string },
    { readonly noTLS?: boolean; readonly peerCerts?: readonly string[] | null }
  > {
  readonly clock?: string;
}

export const answerX509 = async (line: X509Case): Promise<object> => {
  const { config, input } = line;
  const sent = peerCertificates(input.peerCerts);
  const failure = handshakeFailure(sent);
  if (failure !== undefined) return failure;
  const ports = fakePorts({ clock: fakeClock(Date.parse(line.clock ?? '2026-11-21T12:00:00Z')) });
  const bytes = encodeUtf8(config.clientCA ?? '');
  const context = { gates: defaultGates(36), apiDomain: 'k8s.io' };
  const compiled = compileClientCertificate({ caFile: 'ca.pem', bytes }, context);
  if (compiled.kind === 'failed') return { loadError: compiled.error };
  const { decide } = authenticateClientCertificate(compiled.node, ports, compiled.material);
  const certificates = input.noTLS === true ? undefined : sent;
  const request = {
    path: '/',
    token: undefined,
    audiences: [],
    ...(certificates === undefined ? {} : { certificates }),
  };
  return decisionAnswer(await decide(request, new AbortController().signal));
};
