/** Handlers of AuthGraph's requests about samples. */
import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import type { HandlerFactory } from './features/feature.ts';
import { limits } from './limits.ts';
import { memberOf, stringMemberOf } from './member-of.ts';
import {
  type ChooseSample,
  chooseSampleRequest,
  type MemorySample,
  memorySampleRequest,
  removeSampleRequest,
  type SamplesAnswer,
  samplesRequest,
} from './protocol.ts';
import type { SampleStore } from './samples.ts';
import { problems } from './unavailable-reasons.ts';

export interface SampleRequests {
  readonly connection: Connection;
  readonly handlers: HandlerFactory;
  readonly store: SampleStore;
  /** Resolves when the files of the workspace are known. */
  readonly whenIdle: () => Promise<void>;
}

export const serveSamples = (requests: SampleRequests): void => {
  const { connection, handlers, store, whenIdle } = requests;
  const none: SamplesAnswer = { samples: [], current: undefined };
  const answer = handlers.guarded((params: unknown) => {
    const uri = stringMemberOf(params, 'uri');
    return store.answer(uri === undefined ? undefined : handlers.workspace.samplesFor(uri));
  }, none);
  connection.onRequest(samplesRequest, async (params: unknown, token) => {
    await whenIdle();
    return answer(params, token);
  });

  let lastRequested = 0;
  let lastApplied = 0;
  connection.onRequest<SamplesAnswer, void>(chooseSampleRequest, async (params: unknown, token) => {
    handlers.ensureActive(token);
    const choice = choiceOf(params);
    lastRequested += 1;
    const number = lastRequested;
    // Open documents are known immediately; other samples only after the search.
    if (choice.earlier !== undefined || !store.choose(choice)) {
      await whenIdle();
      // A later request has been applied in the meantime.
      if (lastApplied > number) {
        if (choice.earlier !== undefined) store.restore(choice);
        return store.answer();
      }
      if (!store.choose(choice)) return invalid(problems.noSuchSample);
    }
    lastApplied = number;
    return store.answer();
  });

  connection.onRequest<string, void>(memorySampleRequest, (params: unknown, token) => {
    handlers.ensureActive(token);
    const sample = memorySampleOf(params);
    if (sample === undefined) return invalid('a sample has a name and claims, both strings');
    const stored = store.remember(sample);
    return 'problem' in stored ? invalid(stored.problem) : stored.id;
  });

  connection.onRequest(removeSampleRequest, (params: unknown, token) => {
    handlers.ensureActive(token);
    return store.drop(stringMemberOf(params, 'id') ?? '');
  });
};

const invalid = (message: string): ResponseError<void> =>
  new ResponseError(ErrorCodes.InvalidParams, message);

const choiceOf = (params: unknown): ChooseSample => {
  const id = stringMemberOf(params, 'id');
  const name = stringMemberOf(params, 'name');
  const earlier = memberOf(params, 'earlier');
  return {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(Array.isArray(earlier) ? { earlier: stringsIn(earlier) } : {}),
  };
};

const stringsIn = (list: readonly unknown[]): readonly string[] =>
  list.slice(-limits.recentSamples).filter((item) => typeof item === 'string');

const memorySampleOf = (params: unknown): MemorySample | undefined => {
  const name = stringMemberOf(params, 'name');
  const claims = stringMemberOf(params, 'claims');
  const signature = stringMemberOf(params, 'signature');
  if (name === undefined || claims === undefined) return undefined;
  return { name, claims, ...(signature === undefined ? {} : { signature }) };
};
