/** Converts what `authgraph replay` found to JSON; see docs/schema/replay.v1.json. */
import { placeOfCondition } from '../../simulate/access/access-causes.ts';
import { causeData } from '../access-data.ts';
import { type ReplayReport, summarySentences } from './replay-report.ts';

/** Incremented when the format changes incompatibly. */
const replayVersion = 1;

export const replayData = (report: ReplayReport): object => {
  const { result, origins, sources } = report;
  const { lines, decisions, same, counts, fullControl, malformed, malformedLines } = result;
  return {
    version: replayVersion,
    summary: summarySentences(report).join('; '),
    lines,
    decisions,
    same,
    ...counts,
    fullControl,
    possibleFullControl: result.possibleFullControl,
    skipped: result.skipped,
    otherKey: result.otherKey,
    otherConfiguration: result.otherConfiguration,
    groups: result.groups.map(({ kind, cause, reason, count, examples }) => ({
      kind,
      count,
      ...(cause === undefined
        ? { reason }
        : {
            cause: causeData({ ...placeOfCondition(cause, origins), rule: cause.rule }, sources),
          }),
      examples: examples.map(({ file, line, change }) => ({ file, line, ...change })),
    })),
    malformed: { count: malformed, lines: malformedLines },
  };
};
