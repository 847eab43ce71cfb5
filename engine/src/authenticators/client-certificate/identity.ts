/** Maps a client certificate to a user. Only three attributes of the subject are used. */
import {
  attributeTypes,
  type Certificate,
  commonName,
  subjectValues,
} from '../../certificates/certificate.ts';
import { hexOf } from '../../formats/bytes.ts';
import type { Rejection } from '../../model/decision.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Digest } from '../../ports/digest.ts';
import type { ClientCertificateNode } from './node.ts';
import { emptyUid, severalUids } from './rejections.ts';

export type CertificateIdentity =
  | { readonly kind: 'user'; readonly user: UserInfo }
  /** The certificate has no common name, so the authenticator has no opinion. */
  | { readonly kind: 'no-user' }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/** The object identifier that Kubernetes assigned for the user's UID. It is not LDAP's `uid`. */
const uidType = '1.3.6.1.4.1.57683.2';

export const identityOf = (
  certificate: Certificate,
  node: ClientCertificateNode,
  digest: Pick<Digest, 'sha256'>,
): CertificateIdentity => {
  const username = commonName(certificate);
  if (username === '') return { kind: 'no-user' };
  const uids = node.readsUid ? subjectValues(certificate, uidType) : [];
  if (uids.length > 1) return { kind: 'rejected', rejection: rejectionOf(severalUids, uids) };
  const [uid] = uids;
  if (uid === '') return { kind: 'rejected', rejection: rejectionOf(emptyUid) };
  return {
    kind: 'user',
    user: {
      username,
      uid: uid ?? '',
      groups: subjectValues(certificate, attributeTypes.organization),
      extra: new Map([
        [node.credentialIdKey, [`X509SHA256=${hexOf(digest.sha256(certificate.der))}`]],
      ]),
    },
  };
};
