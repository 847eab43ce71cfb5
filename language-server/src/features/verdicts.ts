/** Who samples would be, in a line each: for lists, where the way and what would be accepted cost too much. */
import { soundGraph } from '@authgraph/engine/language';
import {
  type VerdictRow,
  type VerdictsParams,
  type VerdictsReport,
  verdictsRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { Feature } from './feature.ts';
import { type RowQuestion, sampleRows } from './sample-rows.ts';
import { verdictOn, verdictRow } from './sample-verdict.ts';

export const verdicts: Feature = {
  capabilities: {},
  register(connection, answering) {
    const otherwise: VerdictsReport = { rows: [], problem: problems.failed };
    connection.onRequest(
      verdictsRequest,
      answering.awaited(
        (params: VerdictsParams, token) =>
          sampleRows({ answering, token, rowsAtATime }, params, rowFor),
        otherwise,
      ),
    );
  },
};

/** Previews of them take a few milliseconds. */
const rowsAtATime = 16;

const rowFor = ({ part, configuration, sample }: RowQuestion): VerdictRow | string => {
  const { compilation } = part;
  const verdict = verdictOn(compilation, sample);
  const { decision, headline } = verdict;
  if (decision === undefined || soundGraph(compilation) === undefined) return headline;
  return verdictRow({ sample, configuration }, { ...verdict, decision });
};
