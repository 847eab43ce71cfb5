/** What the real API server would say to the file: the answer that conformance compares. */
import type { ServerError } from '../diagnostics/diagnostic.ts';

export interface ServerReport {
  readonly ok: boolean;
  /** The file could not be decoded; nothing has been validated. */
  readonly decodeError?: string;
  /** The single findings of strict decoding, where those are the error. */
  readonly strictErrors?: readonly string[];
  /** Validation errors in the real order. */
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
