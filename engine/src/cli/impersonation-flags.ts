/** The flags of `whoami --as …`, without their implementation, which is loaded on demand. */
import type { FlagValues } from '../flags/flag.ts';
import type { FlagForm } from '../flags/flag-form.ts';
import { stringFlag } from './command.ts';

export const impersonationFlags: readonly FlagForm[] = [
  stringFlag(
    'Impersonation',
    'as',
    'NAME',
    'Username to impersonate: a regular user or a service account in a namespace.',
  ),
  {
    name: 'as-group',
    group: 'Impersonation',
    type: 'stringArray',
    placeholder: 'GROUP',
    doc: 'Group to impersonate; may be repeated.',
  },
  stringFlag('Impersonation', 'as-uid', 'UID', 'UID to impersonate.'),
  {
    name: 'as-user-extra',
    group: 'Impersonation',
    type: 'stringArray',
    placeholder: 'KEY=VALUE',
    doc: 'User extra to impersonate; may be repeated.',
  },
  {
    name: 'rbac-file',
    group: 'Impersonation',
    type: 'stringArray',
    placeholder: 'FILE',
    doc: 'Manifests of roles and bindings, in addition to the bootstrap roles; may be repeated.',
  },
];

/** Returns the error of contradictory flags, in kubectl's words where it has the same error. */
export const impersonationMisuse = (values: FlagValues): string | undefined => {
  const setsOtherFlags = ['as-group', 'as-uid', 'as-user-extra'].some((name) => values.isSet(name));
  if (values.string('as') === '') {
    if (setsOtherFlags) return 'requesting uid, groups or user-extra without impersonating a user';
    return values.isSet('rbac-file') ? '--rbac-file can only be used with --as' : undefined;
  }
  return userExtraMisuse(values);
};

/** Returns the error of a malformed `--as-user-extra`. */
export const userExtraMisuse = (values: FlagValues): string | undefined => {
  const wrong = values.list('as-user-extra').find((text) => !/^[^=]+=/.test(text));
  return wrong === undefined
    ? undefined
    : `invalid argument ${JSON.stringify(wrong)} for "--as-user-extra" flag: must be KEY=VALUE`;
};
