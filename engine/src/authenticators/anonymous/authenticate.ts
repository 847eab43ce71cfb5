/**
 * Authenticator for requests without a credential: they become `system:anonymous` where that is
 * allowed.
 */
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { Authenticator } from '../module.ts';
import type { AnonymousNode } from './node.ts';

/**
 * Creates the authenticator. Paths are compared exactly: they are not cleaned, case matters, and
 * there are no wildcards.
 */
export const linkAnonymous = (node: AnonymousNode): Authenticator => {
  // An empty list of conditions allows every path.
  const paths = node.paths?.length ? new Set(node.paths) : undefined;
  return {
    authenticate(request, _waiter, trace): Decision {
      const allowed = node.enabled && (paths === undefined || paths.has(request.path));
      trace?.step({
        at: 'anonymous',
        what: 'anonymous access',
        outcome: allowed ? 'passed' : 'skipped',
        detail: reasonOf(node, allowed),
      });
      if (!allowed) return noOpinion;
      return {
        kind: 'accepted',
        by: 'anonymous',
        audiences: request.audiences,
        user: {
          username: 'system:anonymous',
          uid: '',
          groups: ['system:unauthenticated'],
          extra: new Map(),
        },
      };
    },
  };
};

const reasonOf = (node: AnonymousNode, allowed: boolean): string => {
  if (!node.enabled) return 'anonymous requests are disabled';
  if (!node.paths?.length) return 'anonymous requests are allowed on every path';
  return allowed ? 'a condition allows the path' : 'no condition allows the path';
};
