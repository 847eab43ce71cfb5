/** Flags of authorization. */

import type { FlagProblem, FlagValues } from '../flags/flag.ts';
import { flagGroup } from '../flags/flag-form.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';

export interface RbacSettings {
  /** Paths of manifests in the order of the flags. */
  readonly files: readonly string[];
  /** Authorization modes of the flag; RBAC decides in any case. */
  readonly modes: readonly string[];
}

/** Flags that configure RBAC. */
export const flags = flagGroup('Authorization', [
  {
    name: 'authorization-mode',
    type: 'stringSlice',
    default: '[RBAC]',
    doc: 'Authorization modes. Only RBAC is implemented; Node is accepted for compatibility and has no effect.',
  },
  {
    name: 'rbac-file',
    type: 'stringArray',
    placeholder: 'FILE',
    doc: 'YAML or JSON manifests of ClusterRoles, Roles and their bindings, in addition to those in the store; repeatable. The files are read once, at startup.',
  },
]);

/** Reads the settings from the values of the flags. */
export const readRbacSettings = (values: FlagValues): RbacSettings => ({
  files: values.list('rbac-file'),
  modes: values.list('authorization-mode'),
});

/** Returns the problems of the settings. */
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

/** The messages are kube-apiserver's, except for modes that are not supported here. */
const modeProblems = (modes: readonly string[]): readonly FlagProblem[] => {
  const help = 'Set --authorization-mode=RBAC or omit the flag.';
  if (modes.length === 0)
    return [{ message: 'at least one authorization-mode must be passed', help }];
  const unknown = modes.filter((mode) => !knownModes.has(mode));
  const unsupported = modes.filter((mode) => knownModes.has(mode) && !supportedModes.has(mode));
  const repeated = modes.length > new Set(modes).size;
  return [
    ...unknown.map((mode) => `authorization-mode ${goQuote(mode)} is not a valid mode`),
    ...unsupported.map((mode) => `authorization-mode ${goQuote(mode)} is not supported`),
    ...(repeated
      ? [`authorization-mode ${goQuoteList(modes)} has mode specified more than once`]
      : []),
    ...(unknown.length + unsupported.length === 0 && !modes.includes('RBAC')
      ? ['authorization-mode must include RBAC']
      : []),
  ].map((message) => ({ message, help }));
};
