/** What the module does, in sentences: whom the file names, and nothing of its tokens. */
import { type ExplainedPart, listed, quoted } from '../explained-part.ts';
import type { StaticTokenNode, StaticUser } from './node.ts';

/** Users that are told one by one; a long file is summed up. */
const usersTold = 20;

export const explainStaticToken = ({ file, users }: StaticTokenNode): ExplainedPart => ({
  path: 'static-token',
  sentence: `a token that stands in ${quoted(file)} is one of ${users.length} users; it never expires.`,
  parts: [
    ...users.slice(0, usersTold).map((user, place) => ({
      path: `static-token[${place}]`,
      sentence: sentenceOf(user),
      parts: [],
    })),
    ...(users.length > usersTold
      ? [{ path: 'static-token', sentence: `and ${users.length - usersTold} more.`, parts: [] }]
      : []),
  ],
});

const sentenceOf = ({ username, uid, groups }: StaticUser): string => {
  const withUid = uid === '' ? '' : ` with the UID ${quoted(uid)}`;
  const inGroups = groups.length === 0 ? '' : ` in ${listed(groups.map(quoted), 'and')}`;
  return `${quoted(username)}${withUid}${inGroups}.`;
};
