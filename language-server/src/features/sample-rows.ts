/** Results with one row per sample and configuration of a document, as in whoami and verdicts. */
import type { CancellationToken } from 'vscode-languageserver';
import type { ConfigurationName, LoadFailureRow, WhoamiParams } from '../protocol.ts';
import type { Sample } from '../samples.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';
import type { HandlerFactory, PartContext } from './feature.ts';
import { loadFailuresMember } from './load-failure.ts';
import { requestedParts } from './requested-parts.ts';
import { requestedSamples } from './requested-samples.ts';

/** Describes one row. */
export interface RowRequest extends PartContext {
  readonly configuration: ConfigurationName;
  readonly sample: Sample;
  /** Number of samples in the request. */
  readonly sampleCount: number;
}

export interface SampleRows<Row> {
  readonly rows: readonly Row[];
  readonly loadFailures?: readonly LoadFailureRow[];
  /** Why there are no rows. */
  readonly problem?: string;
}

/** Computes the rows. */
export const sampleRows = async <Row extends object>(
  run: {
    readonly handlers: Pick<HandlerFactory, 'workspace' | 'pause'>;
    readonly token: CancellationToken;
    /** Other requests run after each batch of this many rows. */
    readonly rowsAtATime: number;
  },
  { uri, samples }: Pick<WhoamiParams, 'uri' | 'samples'>,
  rowOf: (request: RowRequest) => Row | Promise<Row>,
): Promise<SampleRows<Row>> => {
  const { handlers, token, rowsAtATime } = run;
  const { workspace } = handlers;
  await workspace.whenSearched();
  const { parts, problem: partsProblem } = await requestedParts(workspace, uri);
  if (partsProblem !== undefined) return { rows: [], problem: partsProblem };
  const requested = requestedSamples(workspace, uri, samples);
  if (requested.problem !== undefined) return { rows: [], problem: requested.problem };
  const rows: Row[] = [];
  const requests = rowRequests(parts, requested.samples);
  for (const [index, request] of requests.entries()) {
    if (index > 0 && index % rowsAtATime === 0) await handlers.pause(token);
    rows.push(await rowOf({ workspace, ...request }));
  }
  return { rows, ...loadFailuresMember(parts) };
};

const rowRequests = (
  parts: readonly ConfigurationPart[],
  samples: readonly Sample[],
): readonly Omit<RowRequest, 'workspace'>[] => {
  const names = configurationNames(parts);
  return parts.flatMap((part, index) => {
    const configuration = names[index] ?? { index };
    return samples.map((sample) => ({ part, configuration, sample, sampleCount: samples.length }));
  });
};
