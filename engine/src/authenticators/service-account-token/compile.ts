/** Compiles settings and keys to a node, and defines the runtime data that is not part of it. */
import type { Mode } from '../../model/differences.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import type { ServiceAccountSettings } from './config.ts';
import type { ServiceAccountTokenNode } from './node.ts';
import type { AccountTokenRules } from './token-rules.ts';

/** Runtime data that is not part of the node. */
export interface ServiceAccountTokenMaterial {
  readonly keys: AccountKeys;
  readonly objects: ObjectView;
  readonly mode: Mode;
  /** The API domain, which is part of the names of extra keys. */
  readonly apiDomain: string;
}

/**
 * Compiles the settings; returns `undefined` if there is no issuer, which disables the
 * authenticator.
 */
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
