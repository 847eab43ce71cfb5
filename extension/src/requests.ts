/** Our own requests to the language server, typed. A request that fails says so; it never throws. */
import {
  type ChangeParams,
  type ChangeReport,
  type ChooseSample,
  changeRequest,
  chooseSampleRequest,
  type DoctorParams,
  type DoctorReport,
  doctorRequest,
  dropSampleRequest,
  type GraphAnswer,
  type GraphParams,
  graphRequest,
  type IssuerKeys,
  type IssuerKeysParams,
  type IssuerUrls,
  type IssuerUrlsParams,
  issuerKeysRequest,
  issuerUrlsRequest,
  type MemorySample,
  memorySampleRequest,
  type NewConfiguration,
  type NewConfigurationParams,
  newConfigurationRequest,
  type ProviderRow,
  providersRequest,
  type SamplesAnswer,
  type SampleTemplate,
  type SampleTemplateParams,
  samplesRequest,
  sampleTemplateRequest,
  type VerdictsParams,
  type VerdictsReport,
  verdictsRequest,
  type WhoamiParams,
  type WhoamiReport,
  whoamiRequest,
} from '@authgraph/language-server/protocol';
import type { CancellationToken } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { reasonOf } from './error-message.ts';

export interface Asking {
  samples(): Promise<SamplesAnswer>;
  verdicts(params: VerdictsParams, token?: CancellationToken): Promise<VerdictsReport>;
  whoami(params: WhoamiParams, token?: CancellationToken): Promise<WhoamiReport>;
  graph(params: GraphParams, token?: CancellationToken): Promise<GraphAnswer>;
  change(params: ChangeParams): Promise<ChangeReport>;
  /** Empty claims where the server does not answer. */
  sampleTemplate(params: SampleTemplateParams): Promise<SampleTemplate>;
  /** Throws with the server's reason where it takes no such sample. */
  keepInMemory(sample: MemorySample): Promise<string>;
  /** Why it is not chosen; `undefined` where it is. */
  choose(choice: ChooseSample): Promise<string | undefined>;
  drop(id: string): Promise<void>;
  providers(): Promise<readonly ProviderRow[]>;
  newConfiguration(params: NewConfigurationParams): Promise<NewConfiguration>;
  issuerUrls(params: IssuerUrlsParams): Promise<IssuerUrls>;
  issuerKeys(params: IssuerKeysParams): Promise<IssuerKeys>;
  doctor(params: DoctorParams): Promise<DoctorReport>;
}

export const createAsking = (client: Pick<BaseLanguageClient, 'sendRequest'>): Asking => {
  const ask = async <Answer>(
    method: string,
    params: object,
    failed: (problem: string) => Answer,
    token?: CancellationToken,
  ): Promise<Answer> => {
    try {
      const answer = await (token === undefined
        ? client.sendRequest<Answer | null>(method, params)
        : client.sendRequest<Answer | null>(method, params, token));
      return answer ?? failed('the language server has no answer');
    } catch (cause) {
      return failed(reasonOf(cause));
    }
  };
  const rowless = (problem: string) => ({ rows: [], problem });
  return {
    samples: () => ask(samplesRequest, {}, () => ({ samples: [], chosen: undefined })),
    verdicts: (params, token) => ask(verdictsRequest, params, rowless, token),
    whoami: (params, token) => ask(whoamiRequest, params, rowless, token),
    graph: (params, token) =>
      ask(graphRequest, params, (problem) => ({ pictures: [], problem }), token),
    change: (params) =>
      ask(changeRequest, params, (problem) => ({ ...rowless(problem), summary: problem })),
    sampleTemplate: (params) => ask(sampleTemplateRequest, params, () => ({ claims: '{}\n' })),
    keepInMemory: (sample) => client.sendRequest<string>(memorySampleRequest, sample),
    choose: async (choice) => {
      const answer = await ask<SamplesAnswer | string>(chooseSampleRequest, choice, String);
      return typeof answer === 'string' ? answer : undefined;
    },
    drop: async (id) => {
      await ask<unknown>(dropSampleRequest, { id }, () => undefined);
    },
    providers: () => ask<readonly ProviderRow[]>(providersRequest, {}, () => []),
    newConfiguration: (params) => ask(newConfigurationRequest, params, () => ({ files: [] })),
    issuerUrls: (params) => ask(issuerUrlsRequest, params, (problem) => ({ urls: [], problem })),
    issuerKeys: (params) => ask(issuerKeysRequest, params, (problem) => ({ problem })),
    doctor: (params) => ask(doctorRequest, params, (problem) => ({ issuers: [], problem })),
  };
};
