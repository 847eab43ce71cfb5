/** Settings and the keys of the files -> node and what must not stand in it. */
import type { Mode } from '../../model/differences.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { Store } from '../../ports/store.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import type { LegacyServiceAccountTokenNode } from './node.ts';

/** What the module needs beside its node. */
export interface LegacyServiceAccountTokenMaterial {
  readonly keys: AccountKeys;
  readonly objects: ObjectView;
  /** The day of the last use is written to it; without it nothing is. */
  readonly store?: Pick<Store, 'get' | 'update'>;
  readonly mode: Mode;
  /** The domain of the names of what is noted. */
  readonly apiDomain: string;
}

export interface LegacyServiceAccountTokenSettings {
  readonly lookup: boolean;
  readonly apiAudiences: readonly string[];
}

/** `undefined` without a key: the module is then not there. */
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
