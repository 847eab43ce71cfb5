/** The messages of a failed case: the difference at its line, and its path through the graph. */
import { inMessage, type TestPathStep, type TestResult } from '@authgraph/language-server/protocol';
import { Location, type TestItem, TestMessage, Uri } from 'vscode';
import { lineOf, rangeOf } from '../place.ts';

export const failureMessages = (
  item: TestItem,
  { differences = [], decision, path = [], place }: TestResult,
): readonly TestMessage[] => {
  const difference = TestMessage.diff(
    inMessage(differences.map(differenceText).join('\n')),
    sideOf(differences, 'expected'),
    sideOf(differences, 'actual'),
  );
  if (item.uri !== undefined && item.range !== undefined)
    difference.location = new Location(item.uri, item.range);
  if (path.length === 0) return [difference];
  const steps = new TestMessage(
    inMessage([`${item.label}: ${decision ?? 'decided'}`, ...path.map(stepText)].join('\n')),
  );
  const location = place === undefined ? difference.location : locationOf(place);
  if (location !== undefined) steps.location = location;
  return [difference, steps];
};

type Differences = NonNullable<TestResult['differences']>;

const differenceText = ({ what, expected, actual }: Differences[number]): string =>
  `${what}: expected ${expected}, actual ${actual}`;

/** Returns one side of the diff, with a line for each part that differs. */
const sideOf = (differences: Differences, side: 'expected' | 'actual'): string =>
  differences.map((difference) => `${difference.what}: ${difference[side]}`).join('\n');

const stepText = ({ at, what, outcome, detail, place }: TestPathStep): string => {
  const line = place === undefined ? '' : ` (line ${lineOf(place)})`;
  return `${signs[outcome]} ${at}${line}: ${what}${detail === undefined ? '' : `: ${detail}`}`;
};

const signs = {
  passed: '✓',
  failed: '✗',
  skipped: '–',
  value: '→',
  note: '·',
} as const satisfies Record<TestPathStep['outcome'], string>;

const locationOf = (place: NonNullable<TestResult['place']>): Location =>
  new Location(Uri.parse(place.uri, true), rangeOf(place));
