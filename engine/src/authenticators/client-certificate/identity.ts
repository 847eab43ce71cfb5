/** Maps a client certificate to a user. Only three attributes of the subject are used. */
import {
  attributeTypes,
  type Certificate,
  commonName,
  subjectValues,
} from '../../certificates/certificate.ts';
import { hexOf } from '../../formats/bytes.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { Digest } from '../../ports/digest.ts';
import { rejectedBy } from '../module.ts';
import type { ClientCertificateNode } from './node.ts';
import { emptyUid, severalUids } from './rejections.ts';

/** The object identifier that Kubernetes assigned for the user's UID. It is not LDAP's `uid`. */
const uidType = '1.3.6.1.4.1.57683.2';

/** Returns the decision for a trusted certificate; one without a common name names no user. */
export const identityDecision = (
  certificate: Certificate,
  node: ClientCertificateNode,
  digest: Pick<Digest, 'sha256'>,
): Decision => {
  const username = commonName(certificate);
  if (username === '') return noOpinion;
  const uids = node.readsUid ? subjectValues(certificate, uidType) : [];
  if (uids.length > 1) return rejectedBy(node.module, rejectionOf(severalUids, uids));
  const [uid] = uids;
  if (uid === '') return rejectedBy(node.module, rejectionOf(emptyUid));
  return {
    kind: 'accepted',
    by: node.module,
    audiences: [],
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
