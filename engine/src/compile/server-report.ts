/** What kube-apiserver reports for the file; conformance tests compare it with recorded answers. */
import type { ServerError } from '../diagnostics/diagnostic.ts';

export interface ServerReport {
  readonly ok: boolean;
  /** The file could not be decoded; nothing was validated. */
  readonly decodeError?: string;
  /** The errors of strict decoding, if those are the reason. */
  readonly strictErrors?: readonly string[];
  /** Validation errors in the order of kube-apiserver. */
  readonly errors: readonly ServerError[];
}

export const serverReport = (
  decoding: { readonly failure: string | undefined; readonly strictErrors: readonly string[] },
  errors: readonly ServerError[],
): ServerReport => {
  if (decoding.failure === undefined) return { ok: errors.length === 0, errors };
  return {
    ok: false,
    decodeError: decoding.failure,
    ...(decoding.strictErrors.length === 0 ? {} : { strictErrors: decoding.strictErrors }),
    errors: [],
  };
};
