/** The flags of the roles. */

import type { FlagProblem, FlagRow, FlagValues } from '../flags/flag.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';

export interface RbacSettings {
  /** Paths of manifests, in the order in which they were given. */
  readonly files: readonly string[];
  /** As given; roles decide whatever stands here. */
  readonly modes: readonly string[];
}

/** The flags of authorization. */
export const flags: readonly FlagRow[] = [
  {
    name: 'authorization-mode',
    group: 'Authorization',
    type: 'stringSlice',
    default: '[RBAC]',
    doc: 'Who decides what a caller may do: RBAC, and nothing else here. Node may stand beside it, as elsewhere, and allows nothing more.',
  },
  {
    name: 'rbac-file',
    group: 'Authorization',
    type: 'stringArray',
    placeholder: 'FILE',
    default: '[]',
    doc: 'YAML or JSON manifests of ClusterRoles, Roles and their bindings, which hold beside those of the store; repeatable. Read once, at the start.',
  },
];

/** Settings from the values of the flags. */
export const readRbacSettings = (values: FlagValues): RbacSettings => ({
  files: values.list('rbac-file'),
  modes: values.list('authorization-mode'),
});

/** What is wrong with them. */
export const validateRbacSettings = ({ files, modes }: RbacSettings): readonly FlagProblem[] => [
  ...modeProblems(modes),
  ...(files.includes('') ? [{ message: '--rbac-file must name a file', help: '' }] : []),
];

const supportedModes: ReadonlySet<string> = new Set(['RBAC', 'Node']);
const knownModes: ReadonlySet<string> = new Set([
  ...supportedModes,
  'ABAC',
  'AlwaysAllow',
  'AlwaysDeny',
  'Webhook',
]);

/** The real server's texts, but for modes that are not served here. */
const modeProblems = (modes: readonly string[]): readonly FlagProblem[] => {
  const help = 'Write --authorization-mode=RBAC, or leave the flag out.';
  if (modes.length === 0)
    return [{ message: 'at least one authorization-mode must be passed', help }];
  const unknown = modes.filter((mode) => !knownModes.has(mode));
  const unsupported = modes.filter((mode) => knownModes.has(mode) && !supportedModes.has(mode));
  const repeated = modes.length > new Set(modes).size;
  return [
    ...unknown.map((mode) => `authorization-mode ${goQuote(mode)} is not a valid mode`),
    ...unsupported.map((mode) => `authorization-mode ${goQuote(mode)} is not served here`),
    ...(repeated
      ? [`authorization-mode ${goQuoteList(modes)} has mode specified more than once`]
      : []),
    ...(unknown.length + unsupported.length === 0 && !modes.includes('RBAC')
      ? ['authorization-mode must have RBAC']
      : []),
  ].map((message) => ({ message, help }));
};
