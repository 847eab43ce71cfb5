/** Answers with one row for each sample and configuration of a document, as whoami and its verdicts give them. */
import type { CancellationToken } from 'vscode-languageserver';
import type { ConfigurationName, WhoamiParams } from '../protocol.ts';
import type { Sample } from '../samples.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';
import type { Answering, PartContext } from './feature.ts';
import { askedParts } from './requested-parts.ts';
import { askedSamples } from './requested-samples.ts';

/** What one row is about. */
export interface RowQuestion extends PartContext {
  readonly configuration: ConfigurationName;
  readonly sample: Sample;
  /** Samples that are asked for together with it, itself included. */
  readonly together: number;
}

export interface SampleRows<Row> {
  readonly rows: readonly Row[];
  /** Why there is none, or not one for each. */
  readonly problem?: string;
}

/** A row that is a text tells what keeps the sample from being decided. */
export const sampleRows = async <Row extends object>(
  asking: {
    readonly answering: Pick<Answering, 'workspace' | 'pause'>;
    readonly token: CancellationToken;
    /** After so many, other questions have their turn. */
    readonly rowsAtATime: number;
  },
  { uri, samples }: Pick<WhoamiParams, 'uri' | 'samples'>,
  rowOf: (question: RowQuestion) => Row | string | Promise<Row | string>,
): Promise<SampleRows<Row>> => {
  const { answering, token, rowsAtATime } = asking;
  const { workspace } = answering;
  await workspace.searched();
  const { parts, problem: lack } = await askedParts(workspace, uri);
  if (lack !== undefined) return { rows: [], problem: lack };
  const asked = askedSamples(workspace.samples, samples);
  if (asked.problem !== undefined) return { rows: [], problem: asked.problem };
  const rows: Row[] = [];
  const undecided = new Set<string>();
  const questions = questionsFor(parts, asked.samples);
  for (const [index, question] of questions.entries()) {
    if (index > 0 && index % rowsAtATime === 0) await answering.pause(token);
    const row = await rowOf({ workspace, ...question });
    if (typeof row === 'string') undecided.add(row);
    else rows.push(row);
  }
  const problem = [...undecided].join('; ');
  return problem === '' ? { rows } : { rows, problem };
};

const questionsFor = (
  parts: readonly ConfigurationPart[],
  samples: readonly Sample[],
): readonly Omit<RowQuestion, 'workspace'>[] => {
  const names = configurationNames(parts);
  return parts.flatMap((part, index) => {
    const configuration = names[index] ?? { index };
    return samples.map((sample) => ({ part, configuration, sample, together: samples.length }));
  });
};
