/** The flags of `whoami --as …`, apart from what they need, which is loaded for them alone. */
import type { FlagRow, FlagValues } from '../flags/flag.ts';

export const impersonationFlags: readonly FlagRow[] = [
  {
    name: 'as',
    group: 'Impersonation',
    type: 'string',
    placeholder: 'NAME',
    default: '',
    doc: 'Act as this user or service account, where the roles allow it.',
  },
  {
    name: 'as-group',
    group: 'Impersonation',
    type: 'stringArray',
    placeholder: 'GROUP',
    default: '[]',
    doc: 'Group to act with; repeatable.',
  },
  {
    name: 'as-uid',
    group: 'Impersonation',
    type: 'string',
    placeholder: 'UID',
    default: '',
    doc: 'UID to act with.',
  },
  {
    name: 'as-user-extra',
    group: 'Impersonation',
    type: 'stringArray',
    placeholder: 'KEY=VALUE',
    default: '[]',
    doc: 'Extra value to act with; repeatable.',
  },
  {
    name: 'rbac-file',
    group: 'Impersonation',
    type: 'stringArray',
    placeholder: 'FILE',
    default: '[]',
    doc: 'Manifests of roles and bindings that hold beside the bootstrap roles; repeatable.',
  },
];

/** What is wrong with the flags among themselves; kubectl's words where it has them. */
export const impersonationMisuse = (values: FlagValues): string | undefined => {
  const setsOtherFlags = ['as-group', 'as-uid', 'as-user-extra'].some((name) => values.isSet(name));
  if (values.string('as') === '') {
    if (setsOtherFlags) return 'requesting uid, groups or user-extra without impersonating a user';
    return values.isSet('rbac-file') ? '--rbac-file has a meaning only with --as' : undefined;
  }
  const wrong = values.list('as-user-extra').find((text) => !/^[^=]+=/.test(text));
  return wrong === undefined
    ? undefined
    : `invalid argument ${JSON.stringify(wrong)} for "--as-user-extra" flag: must be KEY=VALUE`;
};
