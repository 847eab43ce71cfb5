/** What the module does, in sentences. */
import { type ExplainedPart, joinList, quote } from '../explained-part.ts';
import type { AuthenticatingProxyNode } from './node.ts';

export const explainAuthenticatingProxy = (node: AuthenticatingProxyNode): ExplainedPart => ({
  path: 'authenticating-proxy',
  sentence: `takes the word of proxies with a certificate of the authorities in ${quote(node.caFile)}${namesOf(node)}.`,
  parts: [
    part('username', node.headers.username, (names) =>
      names === ''
        ? 'no field has the username: nobody is named.'
        : `the username is the first value in ${names}.`,
    ),
    part('uid', node.headers.uid, (names) =>
      names === '' ? 'there is no UID.' : `the UID is the first value in ${names}.`,
    ),
    part('groups', node.headers.groups, (names) =>
      names === '' ? 'there are no groups.' : `the groups are all values in ${names}.`,
    ),
    part('extra', node.headers.extraPrefixes, (names) =>
      names === ''
        ? 'there are no extra values.'
        : `extra values stand in fields whose names begin with ${names}.`,
    ),
  ],
});

const namesOf = ({ allowedNames }: AuthenticatingProxyNode): string =>
  allowedNames.length === 0 ? '' : ` whose name is ${joinList(allowedNames.map(quote), 'or')}`;

const part = (
  field: string,
  names: readonly string[],
  sentence: (names: string) => string,
): ExplainedPart => ({
  path: `authenticating-proxy.${field}`,
  sentence: sentence(joinList(names.map(quote), 'or')),
  parts: [],
});
