/** `authgraph/whoCan`: which requests become a user or a member of a group in the open text, or a proof that none does. */
import {
  EvaluationBudget,
  StringWalks,
  type WhoCanAnswer,
  type WhoCanTarget,
  whoCanSteps,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import { stringMemberOf } from '../member-of.ts';
import {
  type ConfigurationName,
  type WhoCanReport,
  type WhoCanRow,
  whoCanRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { causeRow, reasonRow, witnessRow } from './access-rows.ts';
import { configurationNames } from './configuration-names.ts';
import type { HandlerFactory } from './feature.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';
import { userRow } from './user-row.ts';

export const whoCanFeature = requestFeature<unknown, WhoCanReport>(
  whoCanRequest,
  { rows: [], problem: problems.failed },
  (params, handlers, token) =>
    whoCanReport(
      { uri: stringMemberOf(params, 'uri') ?? '', target: targetOf(params) },
      handlers,
      token,
    ),
);

const targetOf = (params: unknown): WhoCanTarget | undefined => {
  const value = stringMemberOf(params, 'value');
  const field = fields.find((name) => name === stringMemberOf(params, 'field'));
  const key = stringMemberOf(params, 'key');
  if (value === undefined || field === undefined) return undefined;
  if (field === 'extra' && key === undefined) return undefined;
  const match = stringMemberOf(params, 'match') === 'prefix' ? 'prefix' : 'exact';
  return { field, value, match, ...(key === undefined ? {} : { key }) };
};

const fields: readonly WhoCanTarget['field'][] = ['username', 'groups', 'extra'];

const whoCanReport = async (
  { uri, target }: { readonly uri: string; readonly target: WhoCanTarget | undefined },
  { workspace, inTurns }: HandlerFactory,
  token: CancellationToken,
): Promise<WhoCanReport> => {
  if (target === undefined) return { rows: [], problem: problems.noTarget };
  const { parts, problem } = await requestedParts(workspace, uri);
  if (problem !== undefined) return { rows: [], problem };
  const names = configurationNames(parts);
  const rows: WhoCanRow[] = [];
  for (const [index, part] of parts.entries()) {
    const { graph, origins } = part.compilation;
    if (graph === undefined) continue;
    const task = {
      mode: 'product',
      budget: new EvaluationBudget(),
      walks: new StringWalks(),
    } as const;
    const answer = await inTurns(whoCanSteps({ graph, origins }, target, task), token);
    rows.push(answerRow(answer, names[index] ?? { index }, part));
  }
  return rows.length < parts.length ? { rows, problem: problems.hasErrors } : { rows };
};

const answerRow = (
  answer: WhoCanAnswer,
  configuration: ConfigurationName,
  part: ConfigurationPart,
): WhoCanRow => {
  switch (answer.kind) {
    case 'proved':
      return { configuration, kind: 'proved' };
    case 'undecided':
      return {
        configuration,
        kind: 'undecided',
        tried: answer.tried,
        reasons: answer.reasons.map((reason) => reasonRow(reason, part)),
      };
    case 'found':
      return {
        configuration,
        kind: 'found',
        examples: answer.examples.map(({ witness, user, cause }) => ({
          witness: witnessRow(witness),
          user: userRow(user),
          cause: cause.map((one) => causeRow(one, part)),
        })),
      };
  }
};
