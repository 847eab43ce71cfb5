/** The result of a test file as data, in which it is sent from the thread that ran it. */
import type { FileReport } from '../../diagnostics/render.ts';
import type { CaseResult } from '../../simulate/tests/case-result.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { FileFailure } from '../io.ts';
import type { BrokenSuite, Suite } from './load-suite.ts';
import type { CaseSelection, FileRun } from './run-file.ts';
import type { SuiteResult, TestedSuite } from './suite-result.ts';

/** What a thread gets at its start; then it gets one path per test file. */
export interface TestThreadData {
  readonly selection: CaseSelection;
  readonly targetRelease: Suite['file']['targetRelease'];
}

export interface FileMessage {
  /** What the file made the thread print on standard error. */
  readonly printed: readonly string[];
  readonly outcome:
    | RunData
    | BrokenData
    | { readonly kind: 'excluded' }
    /** An error that ends the command, after it was printed. */
    | { readonly kind: 'ended'; readonly code: ExitCode };
}

type SourceData = Pick<SourceFile, 'uri' | 'text'>;

interface RunData extends Pick<TestedSuite, 'path' | 'configuration' | 'file'> {
  readonly kind: 'run';
  readonly source: SourceData;
  readonly places: PlacesData | undefined;
  readonly results: readonly CaseResult[];
  readonly skipped: number;
}

/** The places of the parts of a configuration. */
interface PlacesData {
  readonly source: SourceData;
  readonly spans: ReadonlyMap<string, Span>;
}

interface BrokenData {
  readonly kind: 'broken';
  readonly broken:
    | Extract<BrokenSuite, FileFailure>
    | (Omit<Extract<BrokenSuite, { kind: 'mistakes' }>, 'report'> & {
        readonly report: Pick<FileReport, 'diagnostics'> & { readonly source: SourceData };
      });
}

export const dataOfRun = (run: FileRun): FileMessage['outcome'] => {
  if (run.kind === 'excluded') return run;
  if (run.kind === 'run') return dataOfResult(run.result);
  const { broken } = run;
  if (broken.kind === 'failure') return { kind: 'broken', broken };
  const { source, diagnostics } = broken.report;
  return { kind: 'broken', broken: { ...broken, report: { source: dataOf(source), diagnostics } } };
};

const dataOfResult = ({ suite, results, skipped }: SuiteResult<Suite>): RunData => ({
  kind: 'run',
  path: suite.path,
  configuration: suite.configuration,
  file: { targetRelease: suite.file.targetRelease },
  source: dataOf(suite.source),
  places: results.some(hasPlaces) ? placesOf(suite) : undefined,
  results,
  skipped,
});

const dataOf = ({ uri, text }: SourceFile): SourceData => ({ uri, text });

/** Returns whether a report may show a part of the configuration. */
const hasPlaces = ({ outcome: { decision, steps } }: CaseResult): boolean =>
  decision.kind === 'rejected' || steps.length > 0;

const placesOf = ({ loaded }: Suite): PlacesData | undefined => {
  if (loaded.kind !== 'compiled') return undefined;
  const { source, compilation, toFile } = loaded;
  const spans = new Map([...compilation.origins].map(([path, span]) => [path, toFile(span)]));
  return { source: dataOf(source), spans };
};

/** Returns the run of a file that did not end the command. */
export const runOfData = (
  outcome: Exclude<FileMessage['outcome'], { kind: 'ended' }>,
): FileRun<TestedSuite> => {
  if (outcome.kind === 'excluded') return outcome;
  if (outcome.kind === 'run') return { kind: 'run', result: resultOfData(outcome) };
  const { broken } = outcome;
  if (broken.kind === 'failure') return { kind: 'broken', broken };
  const { source, diagnostics } = broken.report;
  const report = { source: sourceFile(source.uri, source.text), diagnostics };
  return { kind: 'broken', broken: { ...broken, report } };
};

const resultOfData = ({
  path,
  configuration,
  file,
  source,
  places,
  results,
  skipped,
}: RunData): SuiteResult => {
  const configurationSource = places && sourceFile(places.source.uri, places.source.text);
  const find: TestedSuite['find'] = (part) => {
    const span = places?.spans.get(part);
    return configurationSource && span && { source: configurationSource, span };
  };
  const suite = { path, configuration, file, source: sourceFile(source.uri, source.text), find };
  return { suite, results, skipped };
};
