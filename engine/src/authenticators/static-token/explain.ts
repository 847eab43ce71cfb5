/** What the module does, in sentences: whom the file names, and nothing of its tokens. */
import { type ExplainedPart, joinList, quote } from '../explained-part.ts';
import type { StaticTokenNode, StaticUser } from './node.ts';

/** Users that are told one by one; a long file is summed up. */
const maxListedUsers = 20;

export const explainStaticToken = ({ file, users }: StaticTokenNode): ExplainedPart => ({
  path: 'static-token',
  sentence: `a token that stands in ${quote(file)} is one of ${users.length} users; it never expires.`,
  parts: [
    ...users.slice(0, maxListedUsers).map((user, place) => ({
      path: `static-token[${place}]`,
      sentence: sentenceOf(user),
      parts: [],
    })),
    ...(users.length > maxListedUsers
      ? [
          {
            path: 'static-token',
            sentence: `and ${users.length - maxListedUsers} more.`,
            parts: [],
          },
        ]
      : []),
  ],
});

const sentenceOf = ({ username, uid, groups }: StaticUser): string => {
  const withUid = uid === '' ? '' : ` with the UID ${quote(uid)}`;
  const inGroups = groups.length === 0 ? '' : ` in ${joinList(groups.map(quote), 'and')}`;
  return `${quote(username)}${withUid}${inGroups}.`;
};
