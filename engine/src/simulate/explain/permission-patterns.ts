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
    meaning: 'The header Impersonate-Extra-… has a key that is not allowed: {why}.',
    fix: 'Use a key with a domain, such as example.com/team; in a header name the slash is written as %2F.',
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
    fix: 'Remove it. For system:masters, use a credential of that group, or the verb impersonate.',
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
      '{user} requested to impersonate another user, and has no permission to do so for “{verb} {resource}”. Two permissions are required: for the impersonated user (impersonate:{mode}) and for the action (this one). The impersonate verb is sufficient too.',
    fix: `${ruleOf('impersonate-on:{mode}:{verb}')}, and one with impersonate:{mode} on the user to impersonate.`,
  },
  {
    name: 'impersonation-on-refused',
    pattern:
      /^forbidden: User "(?<user>(?:[^"\\]|\\.)*)" cannot impersonate-on:(?<mode>[\w-]+):(?<verb>\w+) path "(?<path>.*?)"(?:: .*)?$/s,
    meaning:
      '{user} requested to impersonate another user, and has no permission to do so for “{verb} {path}”. The impersonate verb is sufficient too.',
    fix: 'Give {user} a ClusterRole with nonResourceURLs ["{path}"], verbs ["impersonate-on:{mode}:{verb}"], and one with impersonate:{mode} on the user to impersonate.',
  },
  {
    name: 'impersonation-refused',
    pattern: pattern(forbidden, constrained, at, '(?:: (?<tail>.*))?'),
    meaning: '{user} cannot impersonate {name}: no role grants impersonate:{mode} on {resource}.',
    fix: `${ruleOf('impersonate:{mode}')}, with resourceNames to restrict it to certain names.`,
  },
  {
    name: 'impersonation-refused',
    pattern: pattern(forbidden, 'impersonate', at, '(?:: (?<tail>.*))?'),
    meaning:
      '{user} cannot impersonate {name}: each requested username, group, UID and extra value requires the permission impersonate, and this one is missing.',
    fix: `${ruleOf('impersonate')}, with resourceNames to restrict it to certain names; without them {user} can become an administrator.`,
  },
  {
    name: 'impersonation-without-user',
    pattern:
      /^requested (?:\[.*\]|&user\.DefaultInfo\{.*\}) without impersonating a user(?: name)?$/s,
    meaning:
      'The request has impersonation headers for groups, UID or extra, but none for the username.',
    fix: 'Send Impersonate-User too (kubectl --as with --as-group).',
  },
  {
    name: 'impersonation-without-caller',
    pattern: /^Internal Server Error: "(?<path>.*)": no user found for request\n?$/s,
    meaning: 'Impersonation was requested, but the request has no authenticated user.',
    fix: 'The filters of the server are in the wrong order, or one is missing: report the bug.',
  },
  {
    name: 'escalation-refused',
    pattern:
      /^(?<what>\S+)(?: "(?<name>[^"]*)")? is forbidden: user "(?<user>(?:[^"\\]|\\.)*)" \(groups=\[(?<groups>.*?)\]\) is attempting to grant (?<rest>.*)$/s,
    flags: ['authorization-mode'],
    meaning:
      '{user} tried to write a role or binding that grants permissions that {user} does not have.',
    fix: 'A user with these permissions must write it. Otherwise give {user} the verb escalate on roles, or bind on the role.',
  },
  {
    name: 'escalation-refused',
    pattern:
      /^(?<what>\S+)(?: "(?<name>[^"]*)")? is forbidden: must have cluster-admin privileges to use the aggregationRule$/,
    meaning:
      'An aggregated ClusterRole can gain any permission, so only an administrator may write one.',
    fix: 'A user with the ClusterRole cluster-admin must write it.',
  },
  {
    name: 'anonymous-forbidden',
    pattern: pattern(
      '^(?<what>[\\w./-]+)(?: "(?<name>[^"]*)")? is forbidden: User "system:anonymous" cannot (?<verb>\\S+)',
      at,
      '(?:: (?<tail>.*))?',
    ),
    meaning:
      'No authenticator accepted a credential, so the request was handled as system:anonymous, which has no permission to {verb} {resource}.',
    fix: 'Send a credential. If one was sent, it was ignored: a certificate that no configured CA issued, proxy headers without a proxy certificate, or a token in the wrong place.',
  },
  {
    name: 'anonymous-forbidden',
    pattern:
      /^forbidden: User "system:anonymous" cannot (?<verb>\S+) path "(?<path>.*?)"(?:: .*)?$/s,
    meaning:
      'No authenticator accepted a credential, so the request was handled as system:anonymous, which has no permission to {verb} {path}.',
    fix: 'Send a credential. To allow only health checks, use an anonymous section with conditions.',
  },
  {
    name: 'forbidden',
    pattern: pattern(forbidden, '(?<verb>\\S+)', at, '(?:: (?<tail>.*))?'),
    meaning:
      'The request is authenticated as {user}, but no role grants “{verb} {resource}” to this user or its groups.',
    fix: `${ruleOf('{verb}')} and a binding to it. If the username or groups are wrong, check the mappings with authgraph whoami.`,
  },
  {
    name: 'forbidden',
    pattern:
      /^forbidden: User "(?<user>(?:[^"\\]|\\.)*)" cannot (?<verb>\S+) path "(?<path>.*?)"(?:: .*)?$/s,
    meaning:
      'The request is authenticated as {user}, but no role grants “{verb} {path}” to this user or its groups.',
    fix: 'Give {user} a ClusterRole with nonResourceURLs ["{path}"], verbs ["{verb}"].',
  },
];
