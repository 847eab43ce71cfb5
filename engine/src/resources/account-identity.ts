/** The identity of a service account, as the real server makes it. */
import { serviceAccountGroups, serviceAccountUsername } from '../formats/system-usernames.ts';
import type { UserInfo } from '../model/user-info.ts';

/** The account, and what its token adds. */
export interface AccountIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly extra: UserInfo['extra'];
}

/** Who a token of the account is. */
export const accountUser = ({ namespace, name, uid, extra }: AccountIdentity): UserInfo => ({
  username: serviceAccountUsername(namespace, name),
  uid,
  groups: serviceAccountGroups(namespace),
  extra,
});
