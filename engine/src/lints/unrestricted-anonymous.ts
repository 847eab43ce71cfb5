/**
 * Anonymous requests may use every path unless there are conditions: an authorization mistake then
 * exposes an API to everyone who can reach the server.
 */
import { defineLint } from './parts/define-lint.ts';

export const unrestrictedAnonymous = defineLint({
  code: 'AG4033',
  name: 'unrestricted-anonymous',
  severity: 'information',
  summary: 'Anonymous requests are allowed on all paths.',
  message: () =>
    'anonymous requests are allowed on all paths: everyone who can reach the server has the permissions of system:unauthenticated',
  help: () => 'List the paths of the health checks as conditions: /livez, /readyz and /healthz.',
  check({ configuration }, report) {
    const anonymous = configuration?.anonymous;
    if (anonymous?.enabled !== true || anonymous.conditions.length > 0) return;
    report(anonymous.span, {}, { question: { kind: 'anonymous' } });
  },
});
