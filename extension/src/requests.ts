/**
 * Typed requests to the language server. A failed request returns its error as a problem instead of
 * throwing, except where noted.
 */
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
import { errorMessage } from './error-message.ts';

export interface ServerRequests {
  samples(): Promise<SamplesAnswer>;
  verdicts(params: VerdictsParams, token?: CancellationToken): Promise<VerdictsReport>;
  whoami(params: WhoamiParams, token?: CancellationToken): Promise<WhoamiReport>;
  graph(params: GraphParams, token?: CancellationToken): Promise<GraphAnswer>;
  change(params: ChangeParams): Promise<ChangeReport>;
  /** Returns empty claims if the server does not answer. */
  sampleTemplate(params: SampleTemplateParams): Promise<SampleTemplate>;
  /** Throws with the server's message if it rejects the sample. */
  addMemorySample(sample: MemorySample): Promise<string>;
  /** Returns an error message, or `undefined` on success. */
  choose(choice: ChooseSample): Promise<string | undefined>;
  drop(id: string): Promise<void>;
  providers(): Promise<readonly ProviderRow[]>;
  newConfiguration(params: NewConfigurationParams): Promise<NewConfiguration>;
  issuerUrls(params: IssuerUrlsParams): Promise<IssuerUrls>;
  issuerKeys(params: IssuerKeysParams): Promise<IssuerKeys>;
  doctor(params: DoctorParams): Promise<DoctorReport>;
}

export const createServerRequests = (
  client: Pick<BaseLanguageClient, 'sendRequest'>,
): ServerRequests => {
  const send = async <Answer>(
    method: string,
    params: object,
    failed: (problem: string) => Answer,
    token?: CancellationToken,
  ): Promise<Answer> => {
    try {
      const answer = await (token === undefined
        ? client.sendRequest<Answer | null>(method, params)
        : client.sendRequest<Answer | null>(method, params, token));
      return answer ?? failed('the language server did not answer');
    } catch (cause) {
      return failed(errorMessage(cause));
    }
  };
  const withoutRows = (problem: string) => ({ rows: [], problem });
  return {
    samples: () => send(samplesRequest, {}, () => ({ samples: [], chosen: undefined })),
    verdicts: (params, token) => send(verdictsRequest, params, withoutRows, token),
    whoami: (params, token) => send(whoamiRequest, params, withoutRows, token),
    graph: (params, token) =>
      send(graphRequest, params, (problem) => ({ pictures: [], problem }), token),
    change: (params) =>
      send(changeRequest, params, (problem) => ({ ...withoutRows(problem), summary: problem })),
    sampleTemplate: (params) => send(sampleTemplateRequest, params, () => ({ claims: '{}\n' })),
    addMemorySample: (sample) => client.sendRequest<string>(memorySampleRequest, sample),
    choose: async (choice) => {
      const answer = await send<SamplesAnswer | string>(chooseSampleRequest, choice, String);
      return typeof answer === 'string' ? answer : undefined;
    },
    drop: async (id) => {
      await send<unknown>(dropSampleRequest, { id }, () => undefined);
    },
    providers: () => send<readonly ProviderRow[]>(providersRequest, {}, () => []),
    newConfiguration: (params) => send(newConfigurationRequest, params, () => ({ files: [] })),
    issuerUrls: (params) => send(issuerUrlsRequest, params, (problem) => ({ urls: [], problem })),
    issuerKeys: (params) => send(issuerKeysRequest, params, (problem) => ({ problem })),
    doctor: (params) => send(doctorRequest, params, (problem) => ({ issuers: [], problem })),
  };
};
