/** What `authgraph replay` found, for all output formats. */
import { formatCount } from '../../formats/counted.ts';
import { placeOfCondition } from '../../simulate/access/access-causes.ts';
import type { AccessSide } from '../../simulate/access/access-side.ts';
import { causeLine, type SourcesOfSides } from '../../simulate/access/access-text.ts';
import { countedDecisions, skippedSentences } from '../diff/diff-report.ts';
import type { ReplayGroup, ReplayKind, ReplayResult } from './replay-result.ts';

export interface ReplayReport {
  readonly result: ReplayResult;
  readonly sources: SourcesOfSides;
  readonly origins: Readonly<Record<'before' | 'after', AccessSide['origins']>>;
}

/** Returns the field that causes a change with its position, or why it is undecided. */
export const groupLine = (
  { cause, reason = '' }: ReplayGroup,
  { sources, origins }: ReplayReport,
): string => {
  if (cause === undefined) return reason;
  return causeLine({ ...placeOfCondition(cause, origins), rule: cause.rule }, sources);
};

const sentences: Readonly<Record<ReplayKind, readonly [one: string, many: string]>> = {
  lost: ['would lose access', 'would lose access'],
  gained: ['would gain access', 'would gain access'],
  changed: ['would get another identity', 'would get another identity'],
  undecided: ['is undecided', 'are undecided'],
};

/** Returns one sentence about all decisions, and others about what needs attention. */
export const summarySentences = ({ result }: ReplayReport): readonly string[] => {
  const { decisions, same, counts, fullControl, malformed, malformedLines } = result;
  const { otherConfiguration: others, possibleFullControl, skipped, otherKey } = result;
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  const parts = found.map(([kind, count]) => {
    const [one, many] = sentences[kind as ReplayKind];
    return `${formatCount(count)} ${count === 1 ? one : many}`;
  });
  const unchanged =
    decisions === 0
      ? 'the logs contain no decisions about JWTs'
      : `nothing would change for ${countedDecisions(decisions)} about JWTs`;
  const first =
    same === decisions
      ? unchanged
      : `${formatCount(same)} of ${countedDecisions(decisions)} about JWTs would stay the same, ${parts.join(', ')}`;
  const places = malformedLines.map(({ file, line }) => `${file}:${line}`).join(', ');
  const more = malformed - malformedLines.length;
  return [
    first,
    ...(fullControl === 0 ? [] : [`${countedDecisions(fullControl)} would gain system:masters`]),
    ...(possibleFullControl === 0
      ? []
      : [
          `${countedDecisions(possibleFullControl)} may gain system:masters: the log does not contain all groups`,
        ]),
    ...skippedSentences(skipped),
    ...(otherKey === 0
      ? []
      : [
          `the key of --key-file is not the key of this log: ${countedDecisions(otherKey)} ${otherKey === 1 ? 'has' : 'have'} pseudonyms of another key`,
        ]),
    ...(counts.undecided === 0 || others === 0
      ? []
      : [
          `${countedDecisions(others)} ${others === 1 ? 'was' : 'were'} made by a configuration other than the given ones; pass that configuration with --old to decide more of them`,
        ]),
    ...(malformed === 0
      ? []
      : [
          `${formatCount(malformed)} line${malformed === 1 ? ' is' : 's are'} not of a decision log: ${places}${more > 0 ? ` and ${formatCount(more)} more` : ''}`,
        ]),
  ];
};
