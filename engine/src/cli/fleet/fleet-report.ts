/** What `authgraph fleet` found, for all output formats, and whether it makes the command fail. */
import type { Release } from '../../model/release.ts';
import {
  type AccessChangeKind,
  type AccessVerdict,
  accessChangeKinds,
} from '../../simulate/access/access-result.ts';
import { failsAlone } from '../diff/diff-report.ts';
import { hasSeverity, type SeverityCounts } from '../severity-counts.ts';

export interface FleetReport {
  /** The releases of `--target-version`; empty if each configuration has its own. */
  readonly releases: readonly Release[];
  /** The value of `--base`; `undefined` without it. */
  readonly base: string | undefined;
  readonly rows: readonly FleetRow[];
  /** Configurations that only the base has. */
  readonly removed: readonly string[];
  /** Diagnostics of settings files. */
  readonly settings: readonly CheckedSettings[];
  /** Test files that belong to no row. */
  readonly otherTests: readonly OtherTests[];
  /** The servers of `--metrics`; `undefined` without it. */
  readonly servers: readonly FleetServer[] | undefined;
  /** What could not be read. */
  readonly failures: readonly string[];
}

/** One configuration. */
export interface FleetRow {
  /** The file, with `#NAME` if it has several configurations. */
  readonly name: string;
  readonly file: string;
  /** The offset of the configuration in the file. */
  readonly start: number;
  /** `sha256:<hex>` of the file that a server loads; `undefined` if there is no such file. */
  readonly hash: string | undefined;
  /** The hash of the same configuration in the base. */
  readonly baseHash: string | undefined;
  /** The results for each target release. */
  readonly results: readonly ReleaseResult[];
}

export interface ReleaseResult {
  readonly release: Release;
  readonly check: SeverityCounts;
  readonly tests: TestTotals;
  /** `undefined` without `--base`. */
  readonly access: AccessResult | undefined;
}

export interface TestTotals {
  readonly passed: number;
  readonly failed: number;
  /** Test files that cannot be run, because they or the configuration have mistakes. */
  readonly broken: number;
}

export type AccessResult =
  /** The base does not have the configuration. */
  | { readonly kind: 'added' }
  /** The base has the same content and settings. */
  | { readonly kind: 'same' }
  | {
      readonly kind: 'compared';
      readonly verdicts: Readonly<Record<AccessChangeKind, VerdictCount>>;
      /** Settings of trust and keys that changed, which the verdicts do not cover. */
      readonly settings: number;
    }
  /** One of the two configurations has errors. */
  | { readonly kind: 'not compared'; readonly side: 'before' | 'after' };

export interface VerdictCount {
  readonly kind: AccessVerdict['kind'];
  /** The number of examples; 0 unless they were found. */
  readonly count: number;
}

export interface CheckedSettings {
  readonly file: string;
  readonly check: SeverityCounts;
}

export interface OtherTests {
  readonly file: string;
  readonly tests: TestTotals;
}

/** One server of the metrics, with the configurations that it can have loaded. */
export interface FleetServer {
  /** The file or URL, and the labels of the series. */
  readonly source: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly hash: string | undefined;
  readonly configurations: readonly string[];
  /** `base` is the content of a file in the base; `unknown` that of no file. */
  readonly state: 'current' | 'base' | 'unknown' | 'no hash';
}

/** The severities and changes that make the command fail. */
export interface FailureConditions {
  readonly failOn: string;
  readonly failOnChange: readonly AccessChangeKind[];
  readonly requireProof: readonly AccessChangeKind[];
}

export const noTests: TestTotals = { passed: 0, failed: 0, broken: 0 };

export const addTests = (one: TestTotals, other: TestTotals): TestTotals => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  broken: one.broken + other.broken,
});

export const hasFailedTests = ({ failed, broken }: TestTotals): boolean => failed + broken > 0;

/** Returns whether a result makes the command fail by a change of access. */
export const isAccessFailure = (
  access: AccessResult | undefined,
  conditions: FailureConditions,
): boolean => {
  const { failOnChange, requireProof } = conditions;
  if (access?.kind === 'not compared') return access.side === 'after' || requireProof.length > 0;
  if (access?.kind === 'added') return failsWithoutPair('added', conditions);
  if (access?.kind !== 'compared') return false;
  const { verdicts } = access;
  return accessChangeKinds.some(
    (kind) =>
      (failOnChange.includes(kind) && verdicts[kind].kind === 'found') ||
      (requireProof.includes(kind) && verdicts[kind].kind !== 'proved'),
  );
};

/** Returns whether a configuration that is only here or only in the base makes the command fail. */
export const failsWithoutPair = (
  kind: 'added' | 'removed',
  { failOnChange, requireProof }: FailureConditions,
): boolean => failsAlone(kind, { failOn: failOnChange, requireProof });

/** Returns whether a server runs something other than the configurations here. */
export const isDrift = ({ state }: FleetServer): boolean =>
  state === 'unknown' || state === 'no hash';

export const isFleetFailure = (report: FleetReport, conditions: FailureConditions): boolean =>
  report.failures.length > 0 ||
  report.rows.some(({ results }) =>
    results.some(
      ({ check, tests, access }) =>
        hasSeverity(check, conditions.failOn) ||
        hasFailedTests(tests) ||
        isAccessFailure(access, conditions),
    ),
  ) ||
  report.settings.some(({ check }) => hasSeverity(check, conditions.failOn)) ||
  report.otherTests.some(({ tests }) => hasFailedTests(tests)) ||
  (report.removed.length > 0 && failsWithoutPair('removed', conditions)) ||
  (report.servers ?? []).some(isDrift);
