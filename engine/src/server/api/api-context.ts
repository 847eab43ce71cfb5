/** The services of the API of stored objects. */
import type { ApiError } from '../../model/api-error.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Authorizer } from '../../ports/authorizer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { Store } from '../../ports/store.ts';
import type { GrantAttempt } from '../../rbac/escalation.ts';
import type { FindList, ListSnapshots } from './list-snapshots.ts';
import type { WatchSlots } from './watch-slots.ts';

export interface ApiContext {
  readonly store: Store;
  readonly user: UserInfo;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly authorizer: Authorizer;
  /** Prevents privilege escalation; called before a role or a binding is validated otherwise. */
  readonly grantProblem: (attempt: GrantAttempt) => Promise<ApiError | undefined>;
  /** Shared by the whole server. */
  readonly snapshots: ListSnapshots;
  /** Finds a list that another worker stores; absent if there are no other workers. */
  readonly findList?: FindList | undefined;
  /** Shared by the whole server. */
  readonly watches: WatchSlots;
}
