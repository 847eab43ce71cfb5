/** Numbers of diagnostics by severity: their text, and the flag that chooses which make a command fail. */
import type { Summary } from '../diagnostics/json.ts';
import type { FlagForm } from '../flags/flag-form.ts';
import { counted } from '../formats/counted.ts';

export type SeverityCounts = Omit<Summary, 'files'>;

const severities: readonly string[] = ['error', 'warning', 'information', 'hint'];

export const failOnFlag: FlagForm = {
  name: 'fail-on',
  group: 'Output',
  choices: severities,
  doc: 'Exit with 1 on this severity or worse.',
};

/** Returns whether there is a diagnostic of the severity or worse. */
export const hasSeverity = (counts: SeverityCounts, failOn: string): boolean => {
  const upTo = severities.indexOf(failOn);
  return countsInOrder(counts)
    .slice(0, upTo + 1)
    .some(([count]) => count > 0);
};

/** Returns `1 error, 2 warnings`; empty if there are no diagnostics. */
export const severityText = (counts: SeverityCounts): string =>
  countsInOrder(counts)
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(', ');

const countsInOrder = ({ errors, warnings, information, hints }: SeverityCounts) =>
  [
    [errors, 'error'],
    [warnings, 'warning'],
    [information, 'information diagnostic'],
    [hints, 'hint'],
  ] as const;
