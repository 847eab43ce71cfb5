/** The answer to the question who somebody would be. */
import type { Decision } from '../../model/decision.ts';
import type { Mode } from '../../model/differences.ts';
import type { TraceStep } from '../../model/trace.ts';

/** Who a token or a set of claims is, and how that was decided. */
export interface WhoamiAnswer {
  readonly decision: Decision;
  /** In the order in which things were looked at; empty unless asked for. */
  readonly steps: readonly TraceStep[];
  /** `skipped`: claims alone carry no signature. */
  readonly signature: 'checked' | 'skipped';
  /** Why the keys of the token's issuer could not be had; the decision then says nothing about the token. */
  readonly notReady?: string;
}

/** How a question is decided. */
export interface WhoamiOptions {
  readonly mode: Mode;
  /** Look into every expression. */
  readonly explain: boolean;
}
