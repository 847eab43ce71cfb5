/** The flag of the roles. */
import type { FlagProblem, FlagRow, FlagValues } from '../model/flag.ts';

export interface RbacSettings {
  /** Paths of manifests, in the order in which they were given. */
  readonly files: readonly string[];
}

export const flags: readonly FlagRow[] = [
  {
    name: 'rbac-file',
    group: 'Authorization',
    type: 'stringArray',
    placeholder: 'FILE',
    default: '[]',
    doc: 'YAML or JSON manifests of ClusterRoles, Roles and their bindings, which hold beside those of the store; repeatable. Read once, at the start.',
  },
];

export const readRbac = (values: FlagValues): RbacSettings => ({ files: values.list('rbac-file') });

export const validateRbac = ({ files }: RbacSettings): readonly FlagProblem[] =>
  files.includes('') ? [{ message: '--rbac-file must name a file', help: '' }] : [];
