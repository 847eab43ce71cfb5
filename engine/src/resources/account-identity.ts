/** Identities of service accounts, as kube-apiserver creates them. */
import { serviceAccountGroups, serviceAccountUsername } from '../formats/system-usernames.ts';
import type { UserInfo } from '../model/user-info.ts';

/** A service account and what its token adds to its identity. */
export interface AccountIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly extra: UserInfo['extra'];
}

/** Returns the user that a token of the service account authenticates. */
export const accountUser = ({ namespace, name, uid, extra }: AccountIdentity): UserInfo => ({
  username: serviceAccountUsername(namespace, name),
  uid,
  groups: serviceAccountGroups(namespace),
  extra,
});
