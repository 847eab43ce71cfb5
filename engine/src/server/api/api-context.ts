/** What the API of the stored objects needs of the server around it. */
import type { ApiError } from '../../model/api-error.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Authorizer } from '../../ports/authorizer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { Store } from '../../ports/store.ts';
import type { GrantAttempt } from '../../rbac/escalation.ts';
import type { ListSnapshots } from './list-snapshots.ts';
import type { WatchSlots } from './watch-slots.ts';

export interface ApiContext {
  readonly store: Store;
  readonly user: UserInfo;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly authorizer: Authorizer;
  /** Nobody grants what they do not hold; asked before a role or a binding is judged otherwise. */
  readonly grantProblem: (attempt: GrantAttempt) => Promise<ApiError | undefined>;
  /** One for the whole server. */
  readonly snapshots: ListSnapshots;
  /** One for the whole server. */
  readonly watches: WatchSlots;
}
