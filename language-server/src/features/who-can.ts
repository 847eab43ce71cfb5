/** `authgraph/whoCan`: which requests become a user or a member of a group in the open text, or a proof that none does. */
import { type WhoCanAnswer, type WhoCanTarget, whoCan } from '@authgraph/engine/language';
import { stringMemberOf } from '../member-of.ts';
import {
  type ConfigurationName,
  type WhoCanReport,
  type WhoCanRow,
  whoCanRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { causeRow, reasonRow, witnessRow } from './access-rows.ts';
import { configurationNames } from './configuration-names.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';
import { userRow } from './user-row.ts';

export const whoCanFeature = requestFeature<unknown, WhoCanReport>(
  whoCanRequest,
  { rows: [], problem: problems.failed },
  (params, { workspace }) =>
    whoCanReport(workspace, stringMemberOf(params, 'uri') ?? '', targetOf(params)),
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
  workspace: Workspace,
  uri: string,
  target: WhoCanTarget | undefined,
): Promise<WhoCanReport> => {
  if (target === undefined) return { rows: [], problem: problems.noTarget };
  const { parts, problem } = await requestedParts(workspace, uri);
  if (problem !== undefined) return { rows: [], problem };
  const names = configurationNames(parts);
  const rows = parts.flatMap((part, index): readonly WhoCanRow[] => {
    const { graph, origins } = part.compilation;
    if (graph === undefined) return [];
    return [answerRow(whoCan({ graph, origins }, target), names[index] ?? { index }, part)];
  });
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
