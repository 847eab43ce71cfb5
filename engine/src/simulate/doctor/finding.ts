/** What the doctor says: a sentence, and what to do. */
import { toPrintable } from '../../diagnostics/printable.ts';

export interface DoctorFinding {
  readonly level: 'ok' | 'warning' | 'error';
  readonly text: string;
  /** How to mend it; empty for what is well. */
  readonly help: string;
}

/** What an issuer sent may stand in a text: it is made harmless. */
const finding =
  (level: DoctorFinding['level']) =>
  (text: string, help = ''): DoctorFinding => ({
    level,
    text: toPrintable(shortened(text)),
    help: toPrintable(shortened(help)),
  });

export const well = finding('ok');
export const doubtful = finding('warning');
export const bad = finding('error');

/** A page of somebody's proxy may come instead of an error. */
const mostLength = 600;

const shortened = (text: string): string =>
  text.length <= mostLength ? text : `${text.slice(0, mostLength)}…`;
