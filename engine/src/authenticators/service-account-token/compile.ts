/** Settings and the keys of the files -> node and what must not stand in it. */
import type { Mode } from '../../model/differences.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import type { ServiceAccountSettings } from './config.ts';
import type { ServiceAccountTokenNode } from './node.ts';
import type { AccountTokenRules } from './token-rules.ts';

/** What the module needs beside its node. */
export interface ServiceAccountTokenMaterial {
  readonly keys: AccountKeys;
  readonly objects: ObjectView;
  readonly mode: Mode;
  /** The domain of the names that the identity carries. */
  readonly apiDomain: string;
}

/** `undefined` without an issuer: the module is then not there. */
export const compileServiceAccountToken = (
  settings: Pick<ServiceAccountSettings, 'issuers'> & { readonly rules: AccountTokenRules },
  apiAudiences: readonly string[],
  keys: AccountKeys,
): ServiceAccountTokenNode | undefined =>
  settings.issuers.length === 0
    ? undefined
    : {
        module: 'service-account-token',
        issuers: settings.issuers,
        apiAudiences,
        keyIds: keys.all.map(({ keyId }) => keyId),
        rules: settings.rules,
      };
