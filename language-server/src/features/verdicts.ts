/**
 * `authgraph/verdicts`: one line per sample, for lists where a full whoami report would be too
 * expensive.
 */
import {
  type VerdictRow,
  type VerdictsParams,
  type VerdictsReport,
  verdictsRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import { requestFeature } from './request-feature.ts';
import { type RowRequest, sampleRows } from './sample-rows.ts';
import { verdictOn, verdictRow } from './sample-verdict.ts';

/** This many previews take a few milliseconds. */
const rowsAtATime = 16;

export const verdicts = requestFeature<VerdictsParams, VerdictsReport>(
  verdictsRequest,
  { rows: [], problem: problems.failed },
  (params, handlers, token) => sampleRows({ handlers, token, rowsAtATime }, params, rowFor),
);

const rowFor = ({ workspace, part, configuration, sample }: RowRequest): VerdictRow =>
  verdictRow({ sample, configuration }, verdictOn(part, sample, workspace.now()));
