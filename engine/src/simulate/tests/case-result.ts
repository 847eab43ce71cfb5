/** The result of one case of a test file: the decision, its path through the graph, the verdict. */
import type { Decision } from '../../model/decision.ts';
import type { TraceStep } from '../../model/trace.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Acting } from '../whoami/act-as.ts';
import type { TestCase } from './test-case.ts';

/** How a case was decided, whatever it expects. */
export interface CaseOutcome {
  /** The decision of the authenticators; a credential that none of them claims is rejected. */
  readonly decision: Decision;
  /** The status of the response, if the request is answered before it is authenticated. */
  readonly answeredWith?: number | undefined;
  /** The authenticator that decided: `jwt[0]`, `client-certificate`; `none` if none did. */
  readonly authenticator: string;
  /** The result of impersonation, if the request asks for it; `acting` has its permission checks. */
  readonly impersonation:
    | { readonly kind: 'impersonated'; readonly user: UserInfo; readonly acting?: Acting }
    | { readonly kind: 'denied'; readonly message: string; readonly acting?: Acting }
    | undefined;
  /** What the expressions of the configuration cost; 0 if none was evaluated. */
  readonly cost: number;
  /**
   * The steps in the order in which they were evaluated. `at` of each is the path of a part of the
   * configuration; empty unless the trace was requested.
   */
  readonly steps: readonly TraceStep[];
}

/** One expectation that the outcome does not meet. */
export interface Difference {
  /** What differs: `username`, `groups`, `rejected.code`. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

/** A case with its outcome. It passes if there are no differences. */
export interface CaseResult {
  readonly test: TestCase;
  readonly outcome: CaseOutcome;
  readonly differences: readonly Difference[];
  /** How long the decision took, in milliseconds. */
  readonly durationMs: number;
}

/** Decides cases with one compiled graph. */
export interface CaseDecider {
  /** Starts to sign the token of a case that is decided soon, on another thread. */
  prepare?(test: TestCase): void;
  /** Decides a case; with `trace`, every step and every value inside expressions is recorded. */
  decide(test: TestCase, options: { readonly trace: boolean }): Promise<CaseOutcome>;
  close(): Promise<void>;
}
