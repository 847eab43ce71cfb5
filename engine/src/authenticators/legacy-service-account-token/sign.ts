/**
 * Signs the token of a service account's Secret, with the claims that kube-controller-manager's
 * `LegacyClaims` has.
 */
import { serviceAccountUsername } from '../../formats/system-usernames.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import type { LegacyClaims } from '../../signed-token/account-claims.ts';
import { signClaims } from '../../signed-token/sign-claims.ts';
import { legacyIssuer } from './authenticate.ts';

/**
 * Signs a legacy token. `nameDomain` is `kubernetes.io` or `platform.io`; the claims are ordered by
 * name.
 */
export const signLegacyToken = (
  { namespace, secretName, accountName, accountUid }: LegacyClaims,
  { nameDomain, signer }: { readonly nameDomain: string; readonly signer: TokenSigner },
): Promise<string> =>
  signClaims(
    new Map([
      ['iss', legacyIssuer],
      [`${nameDomain}/serviceaccount/namespace`, namespace],
      [`${nameDomain}/serviceaccount/secret.name`, secretName],
      [`${nameDomain}/serviceaccount/service-account.name`, accountName],
      [`${nameDomain}/serviceaccount/service-account.uid`, accountUid],
      ['sub', serviceAccountUsername(namespace, accountName)],
    ]),
    signer,
  );
