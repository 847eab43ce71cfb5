/** Describes in sentences which users the token file has. Tokens are not shown. */
import { type ExplainedPart, joinList, quote, simplePart } from '../explained-part.ts';
import type { StaticTokenNode, StaticUser } from './node.ts';

/** The number of users that are listed; the rest is counted. */
const listedUserCount = 20;

export const explainStaticToken = ({ file, users }: StaticTokenNode): ExplainedPart => ({
  path: 'static-token',
  sentence: `the tokens in ${quote(file)} identify ${users.length} users; they never expire.`,
  parts: [
    ...users
      .slice(0, listedUserCount)
      .map((user, place) => simplePart(`static-token[${place}]`, sentenceOf(user))),
    ...(users.length > listedUserCount
      ? [simplePart('static-token', `and ${users.length - listedUserCount} more.`)]
      : []),
  ],
});

const sentenceOf = ({ username, uid, groups }: StaticUser): string => {
  const withUid = uid === '' ? '' : ` with the UID ${quote(uid)}`;
  const inGroups = groups.length === 0 ? '' : ` in ${joinList(groups.map(quote), 'and')}`;
  return `${quote(username)}${withUid}${inGroups}.`;
};
