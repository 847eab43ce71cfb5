/** Who brings no credential: the anonymous identity, where it is allowed. */
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { Authenticator } from '../module.ts';
import type { AnonymousNode } from './node.ts';

/** Paths are compared as they stand: no cleaning, no case folding, no wildcards. */
export const authenticateAnonymous = (node: AnonymousNode): Authenticator => {
  // An empty list of conditions is none: every path is open.
  const paths = node.paths?.length ? new Set(node.paths) : undefined;
  return {
    decide(request, _waiter, trace): Decision {
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
    readiness: () => ({ ready: true }),
    close: () => Promise.resolve(),
  };
};

const reasonOf = (node: AnonymousNode, allowed: boolean): string => {
  if (!node.enabled) return 'anonymous requests are switched off';
  if (!node.paths?.length) return 'every path is open to anonymous requests';
  return allowed ? 'the path is one of the conditions' : 'no condition has this path';
};
