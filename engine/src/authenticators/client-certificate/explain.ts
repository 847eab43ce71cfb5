/** Describes in sentences what the client certificate authenticator does. */
import { type ExplainedPart, quote, simplePart } from '../explained-part.ts';
import type { ClientCertificateNode } from './node.ts';

export const explainClientCertificate = (node: ClientCertificateNode): ExplainedPart => ({
  path: 'client-certificate',
  sentence: `accepts client certificates of the authorities in ${quote(node.caFile)}.`,
  parts: [
    part('username', 'the username is the last common name; a certificate without one is ignored.'),
    part('groups', 'the groups are the organizations, in order.'),
    part(
      'uid',
      node.readsUid
        ? 'the UID is the attribute 1.3.6.1.4.1.57683.2 of the subject; more than one is rejected.'
        : 'there is no UID: the feature gate AllowParsingUserUIDFromCertAuth is disabled.',
    ),
    part('extra', `${quote(node.credentialIdKey)} is the digest of the certificate.`),
  ],
});

const part = (field: string, sentence: string): ExplainedPart =>
  simplePart(`client-certificate.${field}`, sentence);
