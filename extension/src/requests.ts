/**
 * Typed requests to the language server. A failed request returns its error as a problem instead of
 * throwing, except where noted.
 */
import {
  type AccessDifferenceParams,
  type AccessDifferenceReport,
  accessDifferenceRequest,
  type ChangeMarkdown,
  type ChangeMarkdownParams,
  type ChangeParams,
  type ChangeReport,
  type ChooseSample,
  type CoverageAnswer,
  type CoverageParams,
  changeMarkdownRequest,
  changeRequest,
  chooseSampleRequest,
  coverageRequest,
  type DoctorParams,
  type DoctorReport,
  doctorRequest,
  type EvaluateAnswer,
  type EvaluateParams,
  type ExpectResultAnswer,
  type ExpectResultParams,
  type ExplainTokenParams,
  type ExplainTokenReport,
  evaluateRequest,
  expectResultRequest,
  explainTokenRequest,
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
  type SamplesParams,
  type SampleTemplate,
  type SampleTemplateParams,
  samplesRequest,
  sampleTemplateRequest,
  type TestCasesAnswer,
  type TestsAnswer,
  type TestsParams,
  testCasesRequest,
  testsRequest,
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
    samples: (params: SamplesParams) =>
      send<SamplesAnswer>(samplesRequest, params, () => ({ samples: [], current: undefined })),
    verdicts: (params: VerdictsParams, token?: CancellationToken) =>
      send<VerdictsReport>(verdictsRequest, params, withoutRows, token),
    whoami: (params: WhoamiParams, token?: CancellationToken) =>
      send<WhoamiReport>(whoamiRequest, params, withoutRows, token),
    explainToken: (params: ExplainTokenParams, token?: CancellationToken) =>
      send<ExplainTokenReport>(
        explainTokenRequest,
        params,
        (problem) => ({ summary: '', ...withoutRows(problem) }),
        token,
      ),
    graph: (params: GraphParams, token?: CancellationToken) =>
      send<GraphAnswer>(graphRequest, params, (problem) => ({ pictures: [], problem }), token),
    change: (params: ChangeParams, token?: CancellationToken) =>
      send<ChangeReport>(
        changeRequest,
        params,
        (problem) => ({ ...withoutRows(problem), summary: problem }),
        token,
      ),
    accessDifference: (params: AccessDifferenceParams, token?: CancellationToken) =>
      send<AccessDifferenceReport>(accessDifferenceRequest, params, withoutRows, token),
    changeMarkdown: (params: ChangeMarkdownParams, token?: CancellationToken) =>
      send<ChangeMarkdown>(changeMarkdownRequest, params, (problem) => ({ problem }), token),
    evaluate: (params: EvaluateParams) =>
      send<EvaluateAnswer>(evaluateRequest, params, (problem) => ({ problem })),
    /** Returns empty claims if the server does not answer. */
    sampleTemplate: (params: SampleTemplateParams) =>
      send<SampleTemplate>(sampleTemplateRequest, params, () => ({ claims: '{}\n' })),
    /** Throws with the server's message if it rejects the sample. */
    addMemorySample: (sample: MemorySample) =>
      client.sendRequest<string>(memorySampleRequest, sample),
    /** Returns the samples of all workspace folders, or an error message. */
    choose: (choice: ChooseSample) =>
      send<SamplesAnswer | string>(chooseSampleRequest, choice, String),
    drop: async (id: string) => {
      await send<unknown>(removeSampleRequest, { id }, () => undefined);
    },
    testCases: (params: TestsParams) =>
      send<TestCasesAnswer>(testCasesRequest, params, (problem) => ({ cases: [], problem })),
    tests: (params: TestsParams, token?: CancellationToken) =>
      send<TestsAnswer>(testsRequest, params, (problem) => ({ results: [], problem }), token),
    coverage: (params: CoverageParams, token?: CancellationToken) =>
      send<CoverageAnswer>(
        coverageRequest,
        params,
        (problem) => ({ configurations: [], problem }),
        token,
      ),
    expectResult: (params: ExpectResultParams) =>
      send<ExpectResultAnswer>(expectResultRequest, params, (problem) => ({ problem })),
    providers: () => send<readonly ProviderRow[]>(providersRequest, {}, () => []),
    newConfiguration: (params: NewConfigurationParams) =>
      send<NewConfiguration>(newConfigurationRequest, params, () => ({ files: [] })),
    issuerUrls: (params: IssuerUrlsParams) =>
      send<IssuerUrls>(issuerUrlsRequest, params, (problem) => ({ urls: [], problem })),
    issuerKeys: (params: IssuerKeysParams) =>
      send<IssuerKeys>(issuerKeysRequest, params, (problem) => ({ problem })),
    doctor: (params: DoctorParams, token: CancellationToken) =>
      send<DoctorReport>(doctorRequest, params, (problem) => ({ issuers: [], problem }), token),
  };
};
