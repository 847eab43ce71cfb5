/** The answer of whoami: who a caller would be. */
import type { Decision } from '../../model/decision.ts';
import type { Mode } from '../../model/differences.ts';
import type { TraceStep } from '../../model/trace.ts';

/** The decision about a token or a set of claims, and how it was reached. */
export interface WhoamiAnswer {
  readonly decision: Decision;
  /** The steps in the order in which they were evaluated; empty unless `explain` is set. */
  readonly steps: readonly TraceStep[];
  /** Whether the signature was checked; `skipped` for claims alone, which have none. */
  readonly signature: 'checked' | 'skipped';
  /**
   * Why a token with these claims would be rejected, although the claims are accepted: `aud is "x";
   * a token requires one of ["app"]`. Only for claims.
   */
  readonly unenforced?: readonly string[];
  /** The names of the claims that were decided. Only for claims. */
  readonly claimNames?: readonly string[];
  /**
   * Why the keys of the token's issuer are not available; the decision then says nothing about the
   * token.
   */
  readonly notReady?: string;
}

/** The options of a decision. */
export interface WhoamiOptions {
  readonly mode: Mode;
  /** Whether to trace every expression. */
  readonly explain: boolean;
}
