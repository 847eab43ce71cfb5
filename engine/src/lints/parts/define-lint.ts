/** Defines AuthGraph's own advice. */
import type { Compilation } from '../../compile/compile.ts';
import type { Rule } from '../../diagnostics/rule.ts';

/** Returns the rule of a lint, which is a warning unless it says otherwise. */
export const defineLint = <Args = Record<never, never>, Subject = Compilation>(
  form: Omit<Rule<Subject, Args>, 'severity' | 'source'> &
    Partial<Pick<Rule<Subject, Args>, 'severity'>>,
): Rule<Subject, Args> => ({ severity: 'warning', source: 'lint', ...form });
