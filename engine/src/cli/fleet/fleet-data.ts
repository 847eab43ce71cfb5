/** Converts the fleet to JSON; see docs/schema/fleet.v1.json. */
import { releaseName } from '../../model/release.ts';
import {
  type AccessResult,
  type FailureConditions,
  type FleetReport,
  isFleetFailure,
} from './fleet-report.ts';

/** Incremented when the format changes incompatibly. */
const fleetVersion = 1;

export const fleetData = (report: FleetReport, conditions: FailureConditions): object => {
  const { base, rows, removed, settings, otherTests, servers, failures } = report;
  return {
    version: fleetVersion,
    fails: isFleetFailure(report, conditions),
    ...(base === undefined ? {} : { base }),
    configurations: rows.map(({ name, file, hash, results }) => ({
      name,
      file,
      ...(hash === undefined ? {} : { hash }),
      results: results.map(({ release, check, tests, access }) => ({
        release: releaseName(release),
        check,
        tests,
        ...(access === undefined ? {} : { access: accessData(access) }),
      })),
    })),
    removed,
    settings,
    otherTests,
    failures,
    ...(servers === undefined
      ? {}
      : {
          servers: servers.map(({ source, labels, hash, configurations, state }) => ({
            source,
            labels: Object.fromEntries(labels),
            ...(hash === undefined ? {} : { hash }),
            configurations,
            state,
          })),
        }),
  };
};

const accessData = (access: AccessResult): object => {
  if (access.kind !== 'compared') return access;
  const { gained, lost, changed } = access.verdicts;
  return { kind: access.kind, gained, lost, changed, settings: access.settings };
};
