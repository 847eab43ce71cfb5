/** A user as clients show it. */
import { toPrintable, type UserInfo } from '@authgraph/engine/language';
import type { UserRow } from '../protocol.ts';

/** Returns the user with unprintable characters escaped; the YAML has the exact values. */
export const userRow = ({ username, uid, groups, extra }: UserInfo): UserRow => ({
  username: toPrintable(username),
  uid: toPrintable(uid),
  groups: groups.map(toPrintable),
  extra: [...extra]
    .map(([key, values]) => ({ key: toPrintable(key), values: values.map(toPrintable) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1)),
});
