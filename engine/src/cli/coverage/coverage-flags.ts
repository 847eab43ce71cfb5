/** The flags of `authgraph test` for coverage. */
import type { FlagValues } from '../../flags/flag.ts';
import type { FlagForm } from '../../flags/flag-form.ts';

/** The least percentage that a command accepts. */
export const failUnderFlag: FlagForm = {
  name: 'fail-under',
  group: 'Output',
  type: 'float64',
  default: '0',
  placeholder: 'PERCENT',
  doc: 'Exit with 1 below this percentage.',
};

export const coverageFlags: readonly FlagForm[] = [
  {
    name: 'coverage',
    group: 'Coverage',
    choices: ['none', 'text', 'html', 'lcov', 'json'],
    doc: 'Report which parts of the configurations the cases exercise: issuers, audiences, mappings, rules, branches, list elements and reasons for rejection.',
  },
  {
    name: 'coverage-out',
    group: 'Coverage',
    placeholder: 'FILE',
    doc: 'File for the coverage report; required for html, lcov and json.',
  },
  {
    ...failUnderFlag,
    group: 'Coverage',
    doc: 'Exit with 1 if less than this percentage of the outcomes is covered.',
  },
];

/** Returns what is wrong with the flags together. */
export const coverageMisuse = (values: FlagValues): string | undefined => {
  const format = values.string('coverage');
  if (format === 'none') {
    const name = ['coverage-out', 'fail-under'].find((flag) => values.isSet(flag));
    return name === undefined ? undefined : `--${name} requires --coverage`;
  }
  if (format !== 'text' && values.string('coverage-out') === '')
    return `--coverage ${format} requires --coverage-out FILE`;
  // Both would be written to the standard output.
  if (format === 'text' && values.string('coverage-out') === '' && !isForReading(values))
    return '--coverage text requires --coverage-out FILE if the results are for a program (-o)';
  return percentMisuse(values);
};

/** Returns whether the results of the cases are text, or are written to a file. */
const isForReading = (values: FlagValues): boolean =>
  values.string('output') === 'text' || !['', '-'].includes(values.string('out'));

export const percentMisuse = (values: FlagValues): string | undefined => {
  const percent = values.number('fail-under');
  return percent >= 0 && percent <= 100
    ? undefined
    : 'the value of --fail-under must be a percentage from 0 to 100';
};
