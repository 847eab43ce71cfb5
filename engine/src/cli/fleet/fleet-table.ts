/** The matrix of `authgraph fleet`: a row for each configuration, for text and Markdown. */
import { counted } from '../../formats/counted.ts';
import { releaseName } from '../../model/release.ts';
import { accessChangeKinds } from '../../simulate/access/access-result.ts';
import { hasSeverity, type SeverityCounts, severityText } from '../severity-counts.ts';
import {
  type AccessResult,
  type FailureConditions,
  type FleetReport,
  type FleetRow,
  type FleetServer,
  failsWithoutPair,
  hasFailedTests,
  isAccessFailure,
  isDrift,
  type ReleaseResult,
  type TestTotals,
} from './fleet-report.ts';

export interface Cell {
  readonly text: string;
  /** `bad` makes the command fail. */
  readonly level: 'plain' | 'ok' | 'warning' | 'bad';
}

export interface FleetTable {
  readonly headings: readonly string[];
  /** Each row has as many cells as there are headings; the first one is the name. */
  readonly rows: readonly (readonly Cell[])[];
}

export const fleetTable = (report: FleetReport, conditions: FailureConditions): FleetTable => {
  const columns = columnsOf(report, conditions);
  const level = failsWithoutPair('removed', conditions) ? 'bad' : 'warning';
  const rowWith = (name: string, heading: string, cell: Cell): readonly Cell[] => [
    plain(name),
    ...columns.map((column) => (column.heading === heading ? cell : plain(''))),
  ];
  const { heading: check = '' } = columns.find(({ heading }) => heading.startsWith('check')) ?? {};
  return {
    headings: ['configuration', ...columns.map(({ heading }) => heading)],
    rows: [
      ...report.rows.map((row) => [plain(row.name), ...columns.map(({ cellOf }) => cellOf(row))]),
      ...report.removed.map((name) => rowWith(name, 'access', { text: 'removed', level })),
      ...report.otherTests.map(({ file, tests }) => rowWith(file, 'tests', testsCell(tests))),
      ...report.settings.map((one) => rowWith(one.file, check, checkCell(one.check, conditions))),
    ],
  };
};

interface Column {
  readonly heading: string;
  readonly cellOf: (row: FleetRow) => Cell;
}

const columnsOf = (
  { releases, base, servers }: FleetReport,
  conditions: FailureConditions,
): readonly Column[] => {
  const checkOf = (row: FleetRow, at: number): Cell => {
    const result = row.results[at];
    return result === undefined ? plain('') : checkCell(result.check, conditions);
  };
  const own: readonly Column[] = [
    {
      heading: 'release',
      cellOf: ({ results: [first] }) => plain(first ? releaseName(first.release) : ''),
    },
    { heading: 'check', cellOf: (row) => checkOf(row, 0) },
  ];
  const each = releases.map(
    (release, at): Column => ({
      heading: `check ${releaseName(release)}`,
      cellOf: (row) => checkOf(row, at),
    }),
  );
  const access: Column = {
    heading: 'access',
    cellOf: ({ results }) => mergeCells(results, ({ access }) => accessCell(access, conditions)),
  };
  const serverCount: Column = {
    heading: 'servers',
    cellOf: ({ name }) => {
      const count = (state: FleetServer['state']): number =>
        (servers ?? []).filter((one) => one.state === state && one.configurations.includes(name))
          .length;
      const old = count('base');
      return plain(`${count('current')}${old === 0 ? '' : `, ${old} of the base`}`);
    },
  };
  return [
    ...(releases.length === 0 ? own : each),
    {
      heading: 'tests',
      cellOf: ({ results }) => mergeCells(results, ({ tests }) => testsCell(tests)),
    },
    ...(base === undefined ? [] : [access]),
    { heading: 'hash', cellOf: ({ hash }) => plain(hash === undefined ? '-' : shortHash(hash)) },
    ...(servers === undefined ? [] : [serverCount]),
  ];
};

const plain = (text: string): Cell => ({ text, level: 'plain' });

/** Returns the beginning of a digest, which is enough to compare it with another one. */
const shortHash = (hash: string): string => hash.slice(0, 'sha256:'.length + 12);

const levels = ['plain', 'ok', 'warning', 'bad'] as const;

/** Returns the cell of all releases: their common text, or the text of each. */
const mergeCells = (
  results: readonly ReleaseResult[],
  cellOf: (result: ReleaseResult) => Cell,
): Cell => {
  const cells = results.map((result) => ({
    ...cellOf(result),
    release: releaseName(result.release),
  }));
  const texts = new Set(cells.map(({ text }) => text));
  const [first = ''] = texts;
  return {
    text:
      texts.size < 2 ? first : cells.map(({ release, text }) => `${release}: ${text}`).join('; '),
    level: levels.findLast((level) => cells.some((cell) => cell.level === level)) ?? 'plain',
  };
};

const checkCell = (check: SeverityCounts, { failOn }: FailureConditions): Cell => {
  const text = severityText(check);
  if (text === '') return { text: 'ok', level: 'ok' };
  if (hasSeverity(check, failOn)) return { text, level: 'bad' };
  return { text, level: hasSeverity(check, 'warning') ? 'warning' : 'ok' };
};

const testsCell = (tests: TestTotals): Cell => {
  const { passed, failed, broken } = tests;
  if (passed + failed + broken === 0) return plain('none');
  if (!hasFailedTests(tests)) return { text: `${passed} passed`, level: 'ok' };
  const parts = [
    ...(failed === 0 ? [] : [`${failed} of ${passed + failed} failed`]),
    ...(broken === 0 ? [] : [`${counted(broken, 'file')} not run`]),
  ];
  return { text: parts.join(', '), level: 'bad' };
};

const accessCell = (access: AccessResult | undefined, conditions: FailureConditions): Cell => {
  const isBad = isAccessFailure(access, conditions);
  switch (access?.kind) {
    case undefined:
      return plain('');
    case 'added':
      return { text: 'new', level: isBad ? 'bad' : 'plain' };
    case 'same':
      return { text: 'same', level: 'ok' };
    case 'not compared':
      return {
        text: `not compared: errors ${errorPlaces[access.side]}`,
        level: isBad ? 'bad' : 'warning',
      };
    case 'compared': {
      const parts = accessChangeKinds.flatMap((kind) => {
        const { kind: verdict, count } = access.verdicts[kind];
        if (verdict === 'proved') return [];
        return [`${kind} ${verdict === 'found' ? count : '?'}`];
      });
      const settings = access.settings === 0 ? [] : [counted(access.settings, 'setting')];
      const text = [...parts, ...settings].join(', ');
      if (text === '') return { text: 'no change', level: 'ok' };
      return { text, level: isBad ? 'bad' : 'warning' };
    }
  }
};

const errorPlaces = { before: 'in the base', after: 'here' } as const;

/** Returns what a server has loaded, and whether that is drift. */
export const serverCell = (server: FleetServer): Cell => {
  const { state, configurations, hash = '' } = server;
  const level = isDrift(server) ? 'bad' : state === 'base' ? 'warning' : 'ok';
  const [first = '', ...others] = configurations;
  const name = others.length === 0 ? first : `${first} and ${counted(others.length, 'other')}`;
  switch (state) {
    case 'current':
      return { text: name, level };
    case 'base':
      return { text: `${name} of the base`, level };
    case 'unknown':
      return { text: `drift: ${shortHash(hash)} is the hash of no file here`, level };
    case 'no hash':
      return { text: 'drift: the server reports no configuration file', level };
  }
};

/** Returns one sentence about the whole fleet. */
export const fleetSummary = (report: FleetReport, conditions: FailureConditions): string => {
  const { rows, removed, servers, failures } = report;
  const isBad = fleetTable(report, conditions).rows.map((cells) =>
    cells.some(({ level }) => level === 'bad'),
  );
  const countBad = (from: number, to?: number): number =>
    isBad.slice(from, to).filter(Boolean).length;
  const ofConfigurations = rows.length + removed.length;
  const failing = countBad(0, ofConfigurations);
  const others = countBad(ofConfigurations);
  const drifted = (servers ?? []).filter(isDrift).length;
  return [
    counted(rows.length, 'configuration'),
    ...(removed.length === 0 ? [] : [`${removed.length} removed`]),
    failing === 0 ? 'none fails' : `${failing} ${failing === 1 ? 'fails' : 'fail'}`,
    ...(others === 0 ? [] : [`${counted(others, 'other file')} with problems`]),
    ...(servers === undefined || servers.length === 0
      ? []
      : [`${drifted} of ${counted(servers.length, 'server')} drifted`]),
    ...(failures.length === 0 ? [] : [`not complete: ${counted(failures.length, 'error')}`]),
  ].join(', ');
};
