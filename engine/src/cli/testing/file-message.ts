/**
 * The result of a test file as data, in which it is sent from the thread that ran it. Test files with the
 * same configuration share its text and its places, which a thread sends once.
 */
import type { FileReport } from '../../diagnostics/render.ts';
import type { CaseResult } from '../../simulate/tests/case-result.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { CompiledConfiguration } from '../compile-text.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { FileFailure } from '../io.ts';
import type { BrokenSuite, Suite } from './load-suite.ts';
import type { CaseSelection, FileRun } from './run-file.ts';
import { createReceiver, createSender, type SentOnce } from './send-once.ts';
import type { SuiteResult, TestedSuite } from './suite-result.ts';

/** What a thread gets at its start; then it gets one path per test file. */
export interface TestThreadData {
  readonly selection: CaseSelection;
  readonly targetRelease: Suite['file']['targetRelease'];
}

export interface FileMessage {
  /** Warnings that are printed once for all files. */
  readonly warnings: readonly string[];
  /** What else the file made the thread print on standard error. */
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
  readonly places: SentOnce<PlacesData> | undefined;
  readonly results: readonly CaseResult[];
  readonly skipped: number;
}

/** The places of the parts of a configuration. */
interface PlacesData {
  readonly source: SentOnce<SourceData>;
  readonly spans: ReadonlyMap<string, Span>;
}

interface BrokenData {
  readonly kind: 'broken';
  readonly broken:
    | Extract<BrokenSuite, FileFailure>
    | (Omit<Extract<BrokenSuite, { kind: 'mistakes' }>, 'report'> & {
        readonly report: Pick<FileReport, 'diagnostics'> & {
          readonly source: SentOnce<SourceData>;
        };
      });
}

/** Returns the function with which a thread converts the runs of all its files. */
export const createRunSender = (): ((run: FileRun) => FileMessage['outcome']) => {
  const sendSource = createSender(dataOfSource);
  const sendPlaces = createSender(
    ({ source, compilation, toFile }: CompiledConfiguration): PlacesData => ({
      source: sendSource(source),
      spans: new Map([...compilation.origins].map(([path, span]) => [path, toFile(span)])),
    }),
  );
  const dataOfResult = ({ suite, results, skipped }: SuiteResult<Suite>): RunData => ({
    kind: 'run',
    path: suite.path,
    configuration: suite.configuration,
    file: { targetRelease: suite.file.targetRelease },
    source: dataOfSource(suite.source),
    places:
      suite.loaded.kind === 'compiled' && results.some(hasPlaces)
        ? sendPlaces(suite.loaded)
        : undefined,
    results,
    skipped,
  });
  return (run) => {
    if (run.kind === 'excluded') return run;
    if (run.kind === 'run') return dataOfResult(run.result);
    const { broken } = run;
    if (broken.kind === 'failure') return { kind: 'broken', broken };
    const { source, diagnostics } = broken.report;
    const report = { source: sendSource(source), diagnostics };
    return { kind: 'broken', broken: { ...broken, report } };
  };
};

const dataOfSource = ({ uri, text }: SourceFile): SourceData => ({ uri, text });

/** Returns whether a report may show a part of the configuration. */
const hasPlaces = ({ outcome: { decision, steps } }: CaseResult): boolean =>
  decision.kind === 'rejected' || steps.length > 0;

/** A file that did not end the command. */
type RunOutcome = Exclude<FileMessage['outcome'], { kind: 'ended' }>;

/** Returns the function that converts all messages of one thread to runs. */
export const createRunReceiver = (): ((outcome: RunOutcome) => FileRun<TestedSuite>) => {
  const receiveSource = createReceiver(sourceOfData);
  const receivePlaces = createReceiver(({ source, spans }: PlacesData) => ({
    source: receiveSource(source),
    spans,
  }));
  const resultOfData = (data: RunData): SuiteResult => {
    const { path, configuration, file, results, skipped } = data;
    const places = data.places && receivePlaces(data.places);
    const find: TestedSuite['find'] = (part) => {
      const span = places?.spans.get(part);
      return places && span && { source: places.source, span };
    };
    const suite = { path, configuration, file, source: sourceOfData(data.source), find };
    return { suite, results, skipped };
  };
  return (outcome) => {
    if (outcome.kind === 'excluded') return outcome;
    if (outcome.kind === 'run') return { kind: 'run', result: resultOfData(outcome) };
    const { broken } = outcome;
    if (broken.kind === 'failure') return { kind: 'broken', broken };
    const { source, diagnostics } = broken.report;
    const report = { source: receiveSource(source), diagnostics };
    return { kind: 'broken', broken: { ...broken, report } };
  };
};

const sourceOfData = ({ uri, text }: SourceData): SourceFile => sourceFile(uri, text);
