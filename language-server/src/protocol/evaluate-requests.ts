/** The value of a selected expression for samples. */
import type { Range } from 'vscode-languageserver';

/** Evaluates a part of an expression for each sample of its authenticator. */
export const evaluateRequest = 'authgraph/evaluate';
export interface EvaluateParams {
  readonly uri: string;
  /** The selection; an empty one stands for the whole expression around it. */
  readonly range: Range;
}
export interface EvaluateAnswer {
  /** A heading and a table with one row per sample, the current one first. Tokens are redacted. */
  readonly markdown?: string;
  /** Why there is no table. */
  readonly problem?: string;
}
