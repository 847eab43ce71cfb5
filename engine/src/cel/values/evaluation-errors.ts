/** Ends of an evaluation that no expression can absorb. */
import { CelError } from './value.ts';

/** The error of an expression that spent more than its cost limit. */
export const costLimitExceeded = new CelError('operation cancelled: actual cost limit exceeded');

/** The real cost model fails in a few places, and takes the whole evaluation with it. */
export class PanicError extends Error {}
