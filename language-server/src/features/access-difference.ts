/**
 * `authgraph/accessDifference`: who gains access, who loses it and whose identity changes by an unsaved edit, with an
 * example or a proof.
 */
import {
  type AccessChangeKind,
  type AccessComparison,
  type AccessSide,
  type AccessVerdict,
  type AuthenticatorGraph,
  type ComparisonTask,
  compareAccessSteps,
  EvaluationBudget,
  fullControlUndecided,
  StringWalks,
  settingSentence,
  toPrintable,
  userChange,
  verdictSentence,
  witnessLine,
} from '@authgraph/engine/language';
import { limits } from '../limits.ts';
import { stringMemberOf } from '../member-of.ts';
import {
  type AccessDifferenceReport,
  type AccessDifferenceRow,
  type AccessVerdictRow,
  accessDifferenceRequest,
  type ConfigurationName,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { causeRow, reasonRow, witnessRow } from './access-rows.ts';
import { comparedVersions } from './compared-versions.ts';
import type { Versions } from './pair-versions.ts';
import { requestFeature } from './request-feature.ts';
import { userRow } from './user-row.ts';

export const accessDifference = requestFeature<unknown, AccessDifferenceReport>(
  accessDifferenceRequest,
  { rows: [], problem: problems.failed },
  async (params, handlers, token) => {
    const compared = await comparedVersions(handlers.workspace, {
      uri: stringMemberOf(params, 'uri') ?? '',
      against: stringMemberOf(params, 'against'),
    });
    if (typeof compared === 'string') return { rows: [], problem: compared };
    const task = boundedTask();
    const rows: (AccessDifferenceRow | string)[] = [];
    for (const [index, versions] of compared.pairs.entries()) {
      // A comparison takes a while, and the text may have changed.
      await handlers.pause(token);
      const sides = accessSides(versions);
      if (typeof sides === 'string') rows.push(sides);
      else {
        const steps = compareAccessSteps(sides.before, sides.after, task);
        const configuration = compared.names[index] ?? { index };
        rows.push(
          comparisonRow(await handlers.inTurns(steps, token), configuration, versions.after),
        );
      }
    }
    const failures = [...new Set(rows.filter((row) => typeof row === 'string'))];
    return {
      rows: rows.filter((row) => typeof row !== 'string'),
      ...(failures.length === 0 ? {} : { problem: failures.join('; ') }),
    };
  },
);

/** Returns a task with the limits of the editor, because clients repeat comparisons after each edit. */
export const boundedTask = (): ComparisonTask => ({
  mode: 'product',
  budget: new EvaluationBudget(limits.questionEvaluations, limits.comparisonEvaluations),
  walks: new StringWalks(limits.comparisonWalkSteps),
});

/** Returns both sides, or a message if a version has errors. */
export const accessSides = ({
  before,
  after,
}: Versions): Readonly<Record<'before' | 'after', AccessSide>> | string => {
  const old = before?.compilation.graph;
  const changed = after?.compilation.graph;
  if (before !== undefined && old === undefined) return problems.hadErrors;
  if (after !== undefined && changed === undefined) return problems.hasErrors;
  const known = old ?? changed;
  if (known === undefined) return problems.hasErrors;
  return { before: sideOf(before, known), after: sideOf(after, known) };
};

/** Returns the side of a version; a version without the configuration accepts no token. */
const sideOf = (part: ConfigurationPart | undefined, known: AuthenticatorGraph): AccessSide => {
  const graph = part?.compilation.graph;
  return part === undefined || graph === undefined
    ? { graph: { ...known, nodes: [] } }
    : { graph, origins: part.compilation.origins };
};

const comparisonRow = (
  { verdicts, settings, fullControl }: AccessComparison,
  configuration: ConfigurationName,
  part: ConfigurationPart | undefined,
): AccessDifferenceRow => ({
  configuration,
  gained: verdictRow('gained', verdicts.gained, part),
  lost: verdictRow('lost', verdicts.lost, part),
  changed: verdictRow('changed', verdicts.changed, part),
  settings: settings.map((difference) => settingRow(difference)),
  ...(fullControl === undefined ? {} : { fullControl: fullControlUndecided }),
});

const settingRow = (
  difference: AccessComparison['settings'][number],
): AccessDifferenceRow['settings'][number] => {
  const { setting, issuer, before, after } = difference;
  return {
    setting,
    ...(issuer === undefined ? {} : { issuer: toPrintable(issuer) }),
    ...(before === undefined ? {} : { before: toPrintable(before) }),
    ...(after === undefined ? {} : { after: toPrintable(after) }),
    text: toPrintable(settingSentence(difference)),
  };
};

const verdictRow = (
  kind: AccessChangeKind,
  verdict: AccessVerdict,
  part: ConfigurationPart | undefined,
): AccessVerdictRow => {
  const text = verdictSentence(kind, verdict);
  switch (verdict.kind) {
    case 'proved':
      return { kind: 'proved', text };
    case 'undecided':
      return {
        kind: 'undecided',
        text,
        tried: verdict.tried,
        reasons: verdict.reasons.map((reason) => reasonRow(reason, part)),
      };
    case 'found':
      return {
        kind: 'found',
        text,
        changes: verdict.changes.map(({ witness, before, after, cause }) => ({
          witness: witnessRow(witness),
          text: witnessLine(witness),
          details: userChange(before, after).details,
          ...(before === null ? {} : { before: userRow(before) }),
          ...(after === null ? {} : { after: userRow(after) }),
          cause: cause.map((one) => causeRow(one, part)),
        })),
      };
  }
};
