/** The flags that choose which changes of access make a command fail. */
import type { FlagForm } from '../../flags/flag-form.ts';
import { type AccessChangeKind, accessChangeKinds } from '../../simulate/access/access-result.ts';
import { kindsByFlag } from './diff-report.ts';

/** The values of `failOnChangeFlag` that name a kind of change. */
export const kindNames = [...kindsByFlag.keys()];

export const failOnChangeFlag: FlagForm = {
  name: 'fail-on',
  group: 'Output',
  type: 'stringSlice',
  placeholder: 'gain,lose,change|never',
  choices: [...kindNames, 'never'],
  default: `[${kindNames.join(',')}]`,
  doc: 'Changes that cause the exit status 1, separated by commas. A new group of a user who keeps access, even system:masters, is a change and not a gain.',
};

export const requireProofFlag: FlagForm = {
  name: 'require-proof',
  group: 'Output',
  type: 'stringSlice',
  placeholder: 'gain,lose,change',
  choices: kindNames,
  default: '[]',
  doc: 'Changes that cause the exit status 1 unless it is proved that there are none, separated by commas.',
};

/** Returns the error about a value of `failOnChangeFlag`; `undefined` if there is none. */
export const failOnChangeMisuse = (name: string, values: readonly string[]): string | undefined =>
  values.includes('never') && values.length > 1
    ? `--${name} never cannot be combined with other values`
    : undefined;

/** Returns the kinds of a list of flag values, in the order in which they are reported. */
export const kindsOfFlag = (names: readonly string[]): readonly AccessChangeKind[] => {
  const kinds = names.map((name) => kindsByFlag.get(name));
  return accessChangeKinds.filter((kind) => kinds.includes(kind));
};
