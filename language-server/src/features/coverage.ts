/** `authgraph/coverage`: which parts of a configuration the cases of a test file or the samples exercise. */
import {
  type CoverageCase,
  coverageCaseOf,
  coverageSummary,
  measureCoverage,
  missingOutcomes,
  testFileSuffix,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import {
  type ConfigurationCoverage,
  type ConfigurationName,
  type CoverageAnswer,
  type CoverageParams,
  coverageRequest,
  inMessage,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';
import { loadTestCases } from './load-test-cases.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';
import { requestedSamples } from './requested-samples.ts';

export const coverage = requestFeature<CoverageParams, CoverageAnswer>(
  coverageRequest,
  { configurations: [], problem: problems.failed },
  (params, { workspace }, token) =>
    params.uri.endsWith(testFileSuffix)
      ? coverageByTests(workspace, params, token)
      : coverageBySamples(workspace, params.uri),
);

const coverageByTests = async (
  workspace: Workspace,
  { uri, cases: requested }: CoverageParams,
  token: CancellationToken,
): Promise<CoverageAnswer> => {
  const loaded = await loadTestCases(workspace, uri, token);
  if (typeof loaded === 'string') return { configurations: [], problem: inMessage(loaded) };
  const wanted = requested === undefined ? undefined : new Set(requested);
  const cases = loaded.cases
    .filter((_, index) => wanted?.has(index) ?? true)
    .map(coverageCaseOf)
    .filter((one) => one !== undefined);
  return { configurations: [coverageOf(loaded.configuration, { index: 0 }, cases)] };
};

/** Samples often have no audience and no times, which are not checked. */
const coverageBySamples = async (workspace: Workspace, uri: string): Promise<CoverageAnswer> => {
  await workspace.whenSearched();
  const { parts, problem } = await requestedParts(workspace, uri);
  if (problem !== undefined) return { configurations: [], problem };
  const requested = requestedSamples(workspace, uri, 'all');
  if (requested.problem !== undefined) return { configurations: [], problem: requested.problem };
  const cases = requested.samples.map(({ claims }) => ({ claims, now: 0, isToken: false }));
  const names = configurationNames(parts);
  return {
    configurations: parts.map((part, index) => coverageOf(part, names[index] ?? { index }, cases)),
  };
};

const coverageOf = (
  { compilation, uri, places }: ConfigurationPart,
  configuration: ConfigurationName,
  cases: readonly CoverageCase[],
): ConfigurationCoverage => {
  const measured = measureCoverage(compilation, cases);
  return {
    configuration,
    cases: cases.length,
    ...coverageSummary(measured).total,
    places: measured.places.map((place) => ({
      kind: place.kind,
      at: place.at,
      place: { uri, range: places.range(place.span) },
      outcomes: place.outcomes,
      missing: missingOutcomes(place).map(inMessage),
    })),
  };
};
