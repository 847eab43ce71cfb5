/** Our own requests about samples. */
import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import type { Answering } from './features/feature.ts';
import { textOf } from './member-of.ts';
import {
  type ChooseSample,
  chooseSampleRequest,
  dropSampleRequest,
  type MemorySample,
  memorySampleRequest,
  type SamplesAnswer,
  samplesRequest,
} from './protocol.ts';
import type { SampleStore } from './samples.ts';
import { problems } from './unavailable-reasons.ts';

export interface SampleRequests {
  readonly connection: Connection;
  readonly answering: Answering;
  readonly store: SampleStore;
  /** Resolves when the files of the workspace are known. */
  readonly settled: () => Promise<void>;
  readonly changed: () => void;
}

export const serveSamples = (requests: SampleRequests): void => {
  const { connection, answering, store, changed, settled } = requests;
  const none: SamplesAnswer = { samples: [], chosen: undefined };
  const answer = answering.guarded(() => store.answer, none);
  connection.onRequest(samplesRequest, async (params: unknown, token) => {
    await settled();
    return answer(params, token);
  });

  let asked = 0;
  let obeyed = 0;
  connection.onRequest<SamplesAnswer, void>(chooseSampleRequest, async (params: unknown, token) => {
    answering.admit(token);
    const choice = choiceOf(params);
    asked += 1;
    const number = asked;
    // What is open is known at once; for the rest the search has to be done.
    if (!store.choose(choice)) {
      await settled();
      // What was chosen meanwhile was wished for later.
      if (obeyed > number) return store.answer;
      if (!store.choose(choice)) return invalid(problems.noSuchSample);
    }
    obeyed = number;
    changed();
    return store.answer;
  });

  connection.onRequest<string, void>(memorySampleRequest, (params: unknown, token) => {
    answering.admit(token);
    const sample = memorySampleOf(params);
    if (sample === undefined) return invalid('a sample has a name and claims, both texts');
    const kept = store.remember(sample);
    if ('problem' in kept) return invalid(kept.problem);
    changed();
    return kept.id;
  });

  connection.onRequest(dropSampleRequest, (params: unknown, token) => {
    answering.admit(token);
    const dropped = store.drop(textOf(params, 'id') ?? '');
    if (dropped) changed();
    return dropped;
  });
};

const invalid = (message: string): ResponseError<void> =>
  new ResponseError(ErrorCodes.InvalidParams, message);

const choiceOf = (params: unknown): ChooseSample => {
  const id = textOf(params, 'id');
  const name = textOf(params, 'name');
  return {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
  };
};

const memorySampleOf = (params: unknown): MemorySample | undefined => {
  const name = textOf(params, 'name');
  const claims = textOf(params, 'claims');
  const signature = textOf(params, 'signature');
  if (name === undefined || claims === undefined) return undefined;
  return { name, claims, ...(signature === undefined ? {} : { signature }) };
};
