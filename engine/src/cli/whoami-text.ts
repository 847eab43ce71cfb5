/** Formats an accepted identity for people. */
import { privilegedGroup, type UserInfo } from '../model/user-info.ts';
import { userLines } from '../simulate/whoami/user-lines.ts';
import type { Paint } from './color.ts';

export const acceptedText = (user: UserInfo, paint: Paint): string =>
  [
    paint('green', 'accepted'),
    ...userLines(user),
    ...(user.groups.includes(privilegedGroup) ? [paint('yellow', fullControl)] : []),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');

const fullControl = `Members of ${privilegedGroup} have full control of the cluster, whatever its roles are.`;
