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
  removeSampleRequest,
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

export type ServerRequests = ReturnType<typeof createServerRequests>;

export const createServerRequests = (client: Pick<BaseLanguageClient, 'sendRequest'>) => {
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
    samples: () =>
      send<SamplesAnswer>(samplesRequest, {}, () => ({ samples: [], chosen: undefined })),
    verdicts: (params: VerdictsParams, token?: CancellationToken) =>
      send<VerdictsReport>(verdictsRequest, params, withoutRows, token),
    whoami: (params: WhoamiParams, token?: CancellationToken) =>
      send<WhoamiReport>(whoamiRequest, params, withoutRows, token),
    graph: (params: GraphParams, token?: CancellationToken) =>
      send<GraphAnswer>(graphRequest, params, (problem) => ({ pictures: [], problem }), token),
    change: (params: ChangeParams) =>
      send<ChangeReport>(changeRequest, params, (problem) => ({
        ...withoutRows(problem),
        summary: problem,
      })),
    /** Returns empty claims if the server does not answer. */
    sampleTemplate: (params: SampleTemplateParams) =>
      send<SampleTemplate>(sampleTemplateRequest, params, () => ({ claims: '{}\n' })),
    /** Throws with the server's message if it rejects the sample. */
    addMemorySample: (sample: MemorySample) =>
      client.sendRequest<string>(memorySampleRequest, sample),
    /** Returns an error message, or `undefined` on success. */
    choose: async (choice: ChooseSample) => {
      const answer = await send<SamplesAnswer | string>(chooseSampleRequest, choice, String);
      return typeof answer === 'string' ? answer : undefined;
    },
    drop: async (id: string) => {
      await send<unknown>(removeSampleRequest, { id }, () => undefined);
    },
    providers: () => send<readonly ProviderRow[]>(providersRequest, {}, () => []),
    newConfiguration: (params: NewConfigurationParams) =>
      send<NewConfiguration>(newConfigurationRequest, params, () => ({ files: [] })),
    issuerUrls: (params: IssuerUrlsParams) =>
      send<IssuerUrls>(issuerUrlsRequest, params, (problem) => ({ urls: [], problem })),
    issuerKeys: (params: IssuerKeysParams) =>
      send<IssuerKeys>(issuerKeysRequest, params, (problem) => ({ problem })),
    doctor: (params: DoctorParams) =>
      send<DoctorReport>(doctorRequest, params, (problem) => ({ issuers: [], problem })),
  };
};
