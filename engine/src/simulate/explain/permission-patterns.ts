/** Message patterns for authenticated users without permission, and for impersonation requests. */
import type { StagePattern } from './module-pattern.ts';

/** Matches `pods "p1" is forbidden: User "u" `; a request without an object has no object name. */
const forbidden =
  '^(?<what>[\\w./-]+)(?: "(?<name>[^"]*)")? is forbidden: User "(?<user>(?:[^"\\\\]|\\\\.)*)" cannot ';
const at =
  ' resource "(?<resource>[^"]*)" in API group "(?<group>[^"]*)" (?:at the cluster scope|in the namespace "(?<namespace>[^"]*)")';
const constrained = 'impersonate(?:-on)?:(?<mode>[\\w-]+?)(?::(?<verb>\\w+))?';

const pattern = (...parts: readonly string[]): RegExp => new RegExp(`${parts.join('')}$`, 's');

const ruleOf = (verb: string): string =>
  `Give {user} a role with apiGroups ["{group}"], resources ["{resource}"], verbs ["${verb}"]`;

export const permissionPatterns: readonly StagePattern[] = [
  {
    name: 'impersonation-extra-key',
    pattern: pattern(
      forbidden,
      constrained,
      at,
      ': impersonating an invalid key in extra is not allowed: (?<why>.*)',
    ),
    meaning: 'The header field Impersonate-Extra-… has a key that may not be given: {why}.',
    fix: 'Write a key with a domain, example.com/team; in a header field the slash is %2F.',
  },
  {
    name: 'impersonation-forbidden-value',
    pattern: pattern(
      forbidden,
      constrained,
      at,
      ': impersonating (?<why>.*?) is not allowed(?:: (?<detail>.*))?',
    ),
    meaning: 'This value cannot be impersonated by constrained impersonation: {why}.',
    fix: 'Leave it out. For system:masters, use a credential of that group, or the older permission impersonate.',
  },
  {
    name: 'impersonation-on-refused',
    pattern: pattern(
      forbidden,
      'impersonate-on:(?<mode>[\\w-]+):(?<verb>\\w+)',
      at,
      '(?:: (?<tail>.*))?',
    ),
    meaning:
      '{user} asked to act as somebody else, and may not do so for “{verb} {resource}”. Two permissions are needed: for whom (impersonate:{mode}) and for what (this one); the older permission impersonate would do as well.',
    fix: `${ruleOf('impersonate-on:{mode}:{verb}')}, and one with impersonate:{mode} on whom to act as.`,
  },
  {
    name: 'impersonation-on-refused',
    pattern:
      /^forbidden: User "(?<user>(?:[^"\\]|\\.)*)" cannot impersonate-on:(?<mode>[\w-]+):(?<verb>\w+) path "(?<path>.*?)"(?:: .*)?$/s,
    meaning:
      '{user} asked to act as somebody else, and may not do so for “{verb} {path}”. The older permission impersonate would do as well.',
    fix: 'Give {user} a ClusterRole with nonResourceURLs ["{path}"], verbs ["impersonate-on:{mode}:{verb}"], and one with impersonate:{mode} on whom to act as.',
  },
  {
    name: 'impersonation-refused',
    pattern: pattern(forbidden, constrained, at, '(?:: (?<tail>.*))?'),
    meaning: '{user} may not act as {name}: no role grants impersonate:{mode} on {resource}.',
    fix: `${ruleOf('impersonate:{mode}')}, with resourceNames where it should be these alone.`,
  },
  {
    name: 'impersonation-refused',
    pattern: pattern(forbidden, 'impersonate', at, '(?:: (?<tail>.*))?'),
    meaning:
      '{user} may not act as {name}: each name, group, UID and extra value that is asked for needs the permission impersonate, and this one is missing.',
    fix: `${ruleOf('impersonate')}, with resourceNames where it should be these alone; a role with any name lets {user} become an administrator.`,
  },
  {
    name: 'impersonation-without-user',
    pattern:
      /^requested (?:\[.*\]|&user\.DefaultInfo\{.*\}) without impersonating a user(?: name)?$/s,
    meaning:
      'The request has header fields for groups, UID or extra of somebody else, and none for the name.',
    fix: 'Send Impersonate-User too (kubectl --as with --as-group).',
  },
  {
    name: 'impersonation-without-caller',
    pattern: /^Internal Server Error: "(?<path>.*)": no user found for request\n?$/s,
    meaning: 'Impersonation was asked for in a request whose own user is not known.',
    fix: 'The filters of the server are in the wrong order, or one is missing: report it to its makers.',
  },
  {
    name: 'escalation-refused',
    pattern:
      /^(?<what>\S+)(?: "(?<name>[^"]*)")? is forbidden: user "(?<user>(?:[^"\\]|\\.)*)" \(groups=\[(?<groups>.*?)\]\) is attempting to grant (?<rest>.*)$/s,
    flags: ['authorization-mode'],
    meaning: '{user} wrote a role or binding that grants more than {user} holds.',
    fix: 'Let somebody who holds these permissions write it, or give {user} the verb escalate on roles, or bind for one role.',
  },
  {
    name: 'escalation-refused',
    pattern:
      /^(?<what>\S+)(?: "(?<name>[^"]*)")? is forbidden: must have cluster-admin privileges to use the aggregationRule$/,
    meaning:
      'A ClusterRole that gathers others can come to hold anything, so only an administrator may write one.',
    fix: 'Let an administrator write it.',
  },
  {
    name: 'anonymous-forbidden',
    pattern: pattern(
      '^(?<what>[\\w./-]+)(?: "(?<name>[^"]*)")? is forbidden: User "system:anonymous" cannot (?<verb>\\S+)',
      at,
      '(?:: (?<tail>.*))?',
    ),
    meaning:
      'The request came without a credential that anybody took, went on as system:anonymous, and that user may not {verb} {resource}.',
    fix: 'Send a credential. If one was sent: a certificate that no authority covers at all, a header field of a proxy without its certificate, or a token in the wrong place count as none.',
  },
  {
    name: 'anonymous-forbidden',
    pattern:
      /^forbidden: User "system:anonymous" cannot (?<verb>\S+) path "(?<path>.*?)"(?:: .*)?$/s,
    meaning:
      'The request came without a credential that anybody took, went on as system:anonymous, and that user may not {verb} {path}.',
    fix: 'Send a credential; for health checks alone use an anonymous section with conditions.',
  },
  {
    name: 'forbidden',
    pattern: pattern(forbidden, '(?<verb>\\S+)', at, '(?:: (?<tail>.*))?'),
    meaning:
      'The user is known: {user}. Nothing allows “{verb} {resource}” to this name or its groups.',
    fix: `${ruleOf('{verb}')} by a binding. If the name or its groups are not what you expected, look at the mappings: authgraph whoami.`,
  },
  {
    name: 'forbidden',
    pattern:
      /^forbidden: User "(?<user>(?:[^"\\]|\\.)*)" cannot (?<verb>\S+) path "(?<path>.*?)"(?:: .*)?$/s,
    meaning:
      'The user is known: {user}. Nothing allows “{verb} {path}” to this name or its groups.',
    fix: 'Give {user} a ClusterRole with nonResourceURLs ["{path}"], verbs ["{verb}"].',
  },
];
