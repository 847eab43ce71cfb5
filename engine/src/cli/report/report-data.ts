/** What the report of a configuration contains: the results of other commands about one file. */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { FileReport } from '../../diagnostics/render.ts';
import type { Decision } from '../../model/decision.ts';
import type { FileCoverage } from '../coverage/file-coverage.ts';
import type { DiffReport } from '../diff/diff-report.ts';
import type { MutatedFile } from '../mutation/mutated-file.ts';
import type { TestRun } from '../testing/suite-result.ts';

/** A result, or why there is none. */
export type ReportPart<Result> = { readonly kind: 'result'; readonly result: Result } | AbsentPart;

export interface AbsentPart {
  readonly kind: 'absent';
  readonly reason: string;
}

export interface ReportData {
  /** The path of the configuration as it was typed. */
  readonly name: string;
  /** The release of kube-apiserver that is emulated. */
  readonly release: string;
  /** The findings of `check`: those of the configuration, and of its settings file if it has mistakes. */
  readonly findings: readonly FileReport[];
  readonly graph: ReportPart<{ readonly graph: AuthenticatorGraph; readonly hash: string }>;
  readonly samples: readonly ReportSample[];
  readonly tests: ReportPart<TestRun>;
  readonly coverage: ReportPart<readonly FileCoverage[]>;
  /** `undefined` unless it was requested, like the difference. */
  readonly mutation: ReportPart<readonly MutatedFile[]> | undefined;
  readonly difference: ReportPart<DiffReport> | undefined;
}

/** Who a sample is. */
export interface ReportSample {
  readonly name: string;
  readonly decision: Decision;
  /** The authenticator of the issuer: `jwt[0]`, or `none`. */
  readonly authenticator: string;
  /** Why a token with these claims would be rejected, although the claims are accepted. */
  readonly unenforced: readonly string[];
}
