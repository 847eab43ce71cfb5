/**
 * `authgraph/verdicts`: one line per sample, for lists where a full whoami report would be too
 * expensive.
 */
import { graphOfValidEntries } from '@authgraph/engine/language';
import {
  type VerdictRow,
  type VerdictsParams,
  type VerdictsReport,
  verdictsRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { Feature } from './feature.ts';
import { type RowRequest, sampleRows } from './sample-rows.ts';
import { verdictOn, verdictRow } from './sample-verdict.ts';

export const verdicts: Feature = {
  capabilities: {},
  register(connection, handlers) {
    const otherwise: VerdictsReport = { rows: [], problem: problems.failed };
    connection.onRequest(
      verdictsRequest,
      handlers.guardedAsync(
        (params: VerdictsParams, token) =>
          sampleRows({ handlers, token, rowsAtATime }, params, rowFor),
        otherwise,
      ),
    );
  },
};

/** This many previews take a few milliseconds. */
const rowsAtATime = 16;

const rowFor = ({ part, configuration, sample }: RowRequest): VerdictRow | string => {
  const { compilation } = part;
  const verdict = verdictOn(compilation, sample);
  const { decision, headline } = verdict;
  if (decision === undefined || graphOfValidEntries(compilation) === undefined) return headline;
  return verdictRow({ sample, configuration }, { ...verdict, decision });
};
