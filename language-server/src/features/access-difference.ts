/**
 * `authgraph/accessDifference`: who gains access, who loses it and whose identity changes by an unsaved edit, with an
 * example or a proof.
 */
import {
  type AccessComparison,
  type AccessSide,
  type AccessVerdict,
  type AuthenticatorGraph,
  compareAccess,
  toPrintable,
} from '@authgraph/engine/language';
import { stringMemberOf } from '../member-of.ts';
import {
  type AccessDifferenceReport,
  type AccessDifferenceRow,
  type AccessVerdictRow,
  accessDifferenceRequest,
  type ConfigurationName,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { causeRow, reasonRow, witnessRow } from './access-rows.ts';
import { configurationNames } from './configuration-names.ts';
import { pairVersions, type Versions } from './pair-versions.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';
import { userRow } from './user-row.ts';

export const accessDifference = requestFeature<unknown, AccessDifferenceReport>(
  accessDifferenceRequest,
  { rows: [], problem: problems.failed },
  (params, { workspace }) =>
    differenceReport(workspace, {
      uri: stringMemberOf(params, 'uri') ?? '',
      against: stringMemberOf(params, 'against'),
    }),
);

const differenceReport = async (
  workspace: Workspace,
  { uri, against }: { readonly uri: string; readonly against: string | undefined },
): Promise<AccessDifferenceReport> => {
  if (uri === '') return { rows: [], problem: problems.noneOpen };
  const text = against ?? (await workspace.savedText(uri));
  if (text === undefined) return { rows: [], problem: problems.notSaved };
  const { parts: after, problem } = await requestedParts(workspace, uri);
  if (problem === problems.notAnalyzed) return { rows: [], problem };
  const before = await workspace.partsOfComparedText(uri, text);
  if (before === 'stopped') return { rows: [], problem: problems.otherNotAnalyzed };
  if (before.length === 0 && problem !== undefined) return { rows: [], problem };
  const pairs = pairVersions(before, after);
  const names = configurationNames(
    pairs.map((pair) => ({ name: (pair.after ?? pair.before)?.name })),
  );
  const rows = pairs.map((versions, index) => differenceOf(versions, names[index] ?? { index }));
  const failures = [...new Set(rows.filter((row) => typeof row === 'string'))];
  return {
    rows: rows.filter((row) => typeof row !== 'string'),
    ...(failures.length === 0 ? {} : { problem: failures.join('; ') }),
  };
};

/** Returns a message if a version has errors. */
const differenceOf = (
  { before, after }: Versions,
  configuration: ConfigurationName,
): AccessDifferenceRow | string => {
  const old = before?.compilation.graph;
  const changed = after?.compilation.graph;
  if (before !== undefined && old === undefined) return problems.hadErrors;
  if (after !== undefined && changed === undefined) return problems.hasErrors;
  const known = old ?? changed;
  if (known === undefined) return problems.hasErrors;
  const comparison = compareAccess(sideOf(before, known), sideOf(after, known));
  return comparisonRow(comparison, configuration, after);
};

/** Returns the side of a version; a version without the configuration accepts no token. */
const sideOf = (part: ConfigurationPart | undefined, known: AuthenticatorGraph): AccessSide => {
  const graph = part?.compilation.graph;
  return part === undefined || graph === undefined
    ? { graph: { ...known, nodes: [] } }
    : { graph, origins: part.compilation.origins };
};

const comparisonRow = (
  { verdicts, settings }: AccessComparison,
  configuration: ConfigurationName,
  part: ConfigurationPart | undefined,
): AccessDifferenceRow => ({
  configuration,
  gained: verdictRow(verdicts.gained, part),
  lost: verdictRow(verdicts.lost, part),
  changed: verdictRow(verdicts.changed, part),
  settings: settings.map(({ setting, issuer, before, after }) => ({
    setting,
    ...(issuer === undefined ? {} : { issuer: toPrintable(issuer) }),
    ...(before === undefined ? {} : { before: toPrintable(before) }),
    ...(after === undefined ? {} : { after: toPrintable(after) }),
  })),
});

const verdictRow = (
  verdict: AccessVerdict,
  part: ConfigurationPart | undefined,
): AccessVerdictRow => {
  switch (verdict.kind) {
    case 'proved':
      return { kind: 'proved' };
    case 'undecided':
      return {
        kind: 'undecided',
        tried: verdict.tried,
        reasons: verdict.reasons.map((reason) => reasonRow(reason, part)),
      };
    case 'found':
      return {
        kind: 'found',
        changes: verdict.changes.map(({ witness, before, after, cause }) => ({
          witness: witnessRow(witness),
          ...(before === null ? {} : { before: userRow(before) }),
          ...(after === null ? {} : { after: userRow(after) }),
          cause: cause.map((one) => causeRow(one, part)),
        })),
      };
  }
};
