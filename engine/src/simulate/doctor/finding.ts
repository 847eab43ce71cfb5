/** A finding of the doctor: a sentence, and advice. */
import { toPrintable } from '../../diagnostics/printable.ts';

export interface DoctorFinding {
  readonly level: 'ok' | 'warning' | 'error';
  readonly text: string;
  /** How to fix it; empty if nothing is wrong. */
  readonly help: string;
}

/** Creates a finding; text that may come from the issuer is made printable. */
const finding =
  (level: DoctorFinding['level']) =>
  (text: string, help = ''): DoctorFinding => ({
    level,
    text: toPrintable(shortened(text)),
    help: toPrintable(shortened(help)),
  });

export const okFinding = finding('ok');
export const warningFinding = finding('warning');
export const errorFinding = finding('error');

/** The longest detail: a proxy may answer with a whole page in place of an error. */
const mostLength = 600;

const shortened = (text: string): string =>
  text.length <= mostLength ? text : `${text.slice(0, mostLength)}…`;
