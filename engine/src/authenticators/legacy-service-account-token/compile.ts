/** Compiles settings and keys to a node, and defines the runtime data that is not part of it. */
import type { Mode } from '../../model/differences.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { Store } from '../../ports/store.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import type { LegacyServiceAccountTokenNode } from './node.ts';

/** Runtime data that is not part of the node. */
export interface LegacyServiceAccountTokenMaterial {
  readonly keys: AccountKeys;
  readonly objects: ObjectView;
  /** The store in which the day of the last use is written; if absent nothing is written. */
  readonly store?: Pick<Store, 'get' | 'update'>;
  readonly mode: Mode;
  /** The API domain, which is part of the names of audit annotations and labels. */
  readonly apiDomain: string;
}

export interface LegacyServiceAccountTokenSettings {
  readonly lookup: boolean;
  readonly apiAudiences: readonly string[];
}

/**
 * Compiles the settings; returns `undefined` if there are no keys, which disables the
 * authenticator.
 */
export const compileLegacyServiceAccountToken = (
  { lookup, apiAudiences }: LegacyServiceAccountTokenSettings,
  keys: AccountKeys,
): LegacyServiceAccountTokenNode | undefined =>
  keys.all.length === 0
    ? undefined
    : {
        module: 'legacy-service-account-token',
        apiAudiences,
        keyIds: keys.all.map(({ keyId }) => keyId),
        lookup,
      };
