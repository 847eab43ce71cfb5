/** Errors that end an evaluation; no operator can absorb them. */
import { CelError } from './value.ts';

/** The error of an evaluation that spent more than its cost limit. */
export const costLimitExceeded = new CelError('operation cancelled: actual cost limit exceeded');

/** A panic of kube-apiserver's cost model or of a Go map, which ends the whole evaluation. */
export class PanicError extends Error {}
