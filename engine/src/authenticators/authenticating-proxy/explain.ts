/** Describes in sentences what the authenticating proxy authenticator does. */
import { type ExplainedPart, joinList, quote, simplePart } from '../explained-part.ts';
import type { AuthenticatingProxyNode } from './node.ts';

export const explainAuthenticatingProxy = (node: AuthenticatingProxyNode): ExplainedPart => ({
  path: 'authenticating-proxy',
  sentence: `accepts users from proxies with a client certificate of the authorities in ${quote(node.caFile)}${namesOf(node)}.`,
  parts: [
    part('username', node.headers.username, (names) =>
      names === ''
        ? 'no header has the username, so no request is authenticated.'
        : `the username is the first value of ${names}.`,
    ),
    part('uid', node.headers.uid, (names) =>
      names === '' ? 'there is no UID.' : `the UID is the first value of ${names}.`,
    ),
    part('groups', node.headers.groups, (names) =>
      names === '' ? 'there are no groups.' : `the groups are all values of ${names}.`,
    ),
    part('extra', node.headers.extraPrefixes, (names) =>
      names === ''
        ? 'there are no extra values.'
        : `extra values are in headers whose names start with ${names}.`,
    ),
  ],
});

const namesOf = ({ allowedNames }: AuthenticatingProxyNode): string =>
  allowedNames.length === 0
    ? ''
    : ` and the common name ${joinList(allowedNames.map(quote), 'or')}`;

const part = (
  field: string,
  names: readonly string[],
  sentence: (names: string) => string,
): ExplainedPart =>
  simplePart(`authenticating-proxy.${field}`, sentence(joinList(names.map(quote), 'or')));
