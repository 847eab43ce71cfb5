/** Endpoint -> answer, for a request that is authenticated and authorized. */

import { type OutputMap, outputMap } from '../../formats/output.ts';
import {
  formNotAcceptable,
  methodNotAllowed,
  noSuchResource,
  notAcceptable,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Store } from '../../ports/store.ts';
import { apiAnswer } from '../api/api-answer.ts';
import type { ApiContext } from '../api/api-context.ts';
import type { ObjectTarget } from '../api/target.ts';
import {
  aggregatedDiscovery,
  aggregatedType,
  apiGroup,
  apiGroupList,
  apiResourceList,
  coreResourceList,
  coreVersions,
} from '../endpoints/api-discovery.ts';
import { checkAnswer, type HealthCheck, healthAnswer } from '../endpoints/health.ts';
import { type IssuerDocuments, issuerDocumentAnswer } from '../endpoints/issuer-documents.ts';
import { openApiAnswer } from '../endpoints/openapi.ts';
import {
  type Endpoint,
  type HealthList,
  route,
  type Served,
  servedPaths,
} from '../endpoints/route.ts';
import {
  createSelfSubjectReview,
  type SelfSubjectReviewContext,
} from '../endpoints/self-subject-reviews.ts';
import { createTokenRequest, type TokenRequestContext } from '../endpoints/token-requests.ts';
import { createTokenReview, type TokenReviewContext } from '../endpoints/token-reviews.ts';
import { type VersionFacts, versionObject } from '../endpoints/version.ts';
import { answerWebhook, type WebhookReviewContext } from '../endpoints/webhook-reviews.ts';
import {
  type Answer,
  errorAnswer,
  objectAnswer,
  rawJsonAnswer,
  textAnswer,
} from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { acceptsType, mediaTypeNames, outputFormat, routerAccepts } from '../wire/media-type.ts';
import { writeJson } from '../wire/write-json.ts';

/** What endpoints need of the server around them. */
export interface EndpointServices {
  readonly apiAudiences: readonly string[];
  /** `127.0.0.1:6443`, for discovery. */
  readonly serverAddress: string;
  readonly version: VersionFacts;
  healthChecks(list: HealthList): readonly HealthCheck[];
  /** Metrics in Prometheus text with its content type. */
  metricsText(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Absent where no API server asks as its webhook. */
  readonly webhook:
    | (Pick<WebhookReviewContext, 'clock' | 'reasons'> & { readonly path: string })
    | undefined;
  /** Is v1beta1 of the groups of authentication served? */
  readonly betaReviews: boolean;
  /** Absent where no objects are stored. */
  readonly objects: Omit<ApiContext, 'user'> | undefined;
  /** Absent where there are no service accounts. */
  readonly tokenRequests:
    | Pick<
        TokenRequestContext,
        | 'domain'
        | 'issuer'
        | 'maxExpirationSeconds'
        | 'extendExpiration'
        | 'rules'
        | 'foreignUid'
        | 'signer'
      >
    | undefined;
  /** Absent where no keys are published. */
  readonly issuerDocuments: IssuerDocuments | undefined;
}

/** One request, and who asks. */
export interface EndpointContext
  extends Pick<TokenReviewContext, 'now' | 'authenticate' | 'reviewed'>,
    Pick<SelfSubjectReviewContext, 'noted'>,
    Pick<TokenRequestContext, 'issued'> {
  readonly user: UserInfo;
  readonly services: EndpointServices;
  /** The store as this request calls it. */
  readonly storeFor: (store: Store) => Store;
}

/** Routes and answers. */
export const endpointAnswer = (
  exchange: Exchange,
  context: EndpointContext,
): Answer | Promise<Answer> => {
  const { webhook, apiAudiences, objects, issuerDocuments } = context.services;
  if (webhook !== undefined && webhook.path === exchange.target.path) {
    return answerWebhook(exchange, { ...context, apiAudiences, ...webhook });
  }
  const served = {
    objects: objects !== undefined,
    betaReviews: context.services.betaReviews,
    issuerDocuments: issuerDocuments !== undefined,
  };
  const found = route(exchange.method, exchange.target.path, served);
  switch (found.kind) {
    case 'endpoint':
      return answerOf(found.endpoint, exchange, { context, served });
    case 'methodNotAllowed':
      return errorAnswer(exchange, methodNotAllowed);
    case 'noSuchResource':
      return errorAnswer(exchange, noSuchResource);
    case 'noSuchPath':
      return notFound;
  }
};

const notFound: Answer = textAnswer(404, '404 page not found\n');

const answerOf = (
  endpoint: Endpoint,
  exchange: Exchange,
  { context, served }: { readonly context: EndpointContext; readonly served: Served },
): Answer | Promise<Answer> => {
  const { services } = context;
  switch (endpoint.kind) {
    case 'selfSubjectReviews':
      return createSelfSubjectReview(exchange, {
        group: endpoint.group,
        version: endpoint.version,
        user: context.user,
        now: context.now,
        noted: context.noted,
      });
    case 'tokenReviews':
      return createTokenReview(exchange, {
        group: endpoint.group,
        now: context.now,
        apiAudiences: services.apiAudiences,
        authenticate: context.authenticate,
        reviewed: context.reviewed,
      });
    case 'apiGroups':
      return (
        aggregatedAnswer(exchange, 'apis', served) ?? gatheredAnswer(exchange, apiGroupList(served))
      );
    case 'apiGroup':
      return gatheredAnswer(exchange, apiGroup(endpoint.group, served));
    case 'apiResources':
      return discoveryAnswer(exchange, apiResourceList(endpoint.group, endpoint.version));
    case 'coreVersions':
      return (
        aggregatedAnswer(exchange, 'api', served) ??
        discoveryAnswer(exchange, coreVersions(services.serverAddress, served))
      );
    case 'coreResources':
      return discoveryAnswer(exchange, coreResourceList());
    case 'openApi':
      return openApiAnswer(exchange, endpoint.document);
    case 'objects':
      return objectsAnswer(exchange, endpoint.target, context);
    case 'issuerDocument':
      return services.issuerDocuments === undefined
        ? notFound
        : issuerDocumentAnswer(exchange, endpoint.document, services.issuerDocuments);
    case 'version':
      return versionAnswer(exchange, services.version);
    case 'index':
      return rawJsonAnswer(200, outputMap(['paths', servedPaths(served)]));
    case 'metrics':
      return metricsAnswer(services);
    case 'health':
      return healthEndpoint(endpoint, exchange, services);
  }
};

const objectsAnswer = (
  exchange: Exchange,
  target: ObjectTarget,
  context: EndpointContext,
): Answer | Promise<Answer> => {
  const { user, services } = context;
  const { objects, tokenRequests, apiAudiences } = services;
  if (objects === undefined) return notFound;
  if (target.subresource !== 'token') {
    const store = context.storeFor(objects.store);
    return apiAnswer(exchange, target, { ...objects, store, user });
  }
  if (exchange.method !== 'POST') return errorAnswer(exchange, methodNotAllowed);
  if (tokenRequests === undefined) return errorAnswer(exchange, noSuchResource);
  return createTokenRequest(exchange, {
    ...tokenRequests,
    namespace: target.namespace,
    name: target.name,
    apiAudiences,
    store: objects.store,
    randomness: objects.randomness,
    now: context.now,
    issued: context.issued,
  });
};

/** `undefined` for clients that do not ask for everything at once, and where there are no objects. */
const aggregatedAnswer = (
  exchange: Exchange,
  root: 'api' | 'apis',
  served: Served,
): Answer | undefined => {
  const accept = firstHeader(exchange.headers, 'accept');
  const form = outputFormat(accept, 'discovery')?.form;
  if (!served.objects || form === undefined) return undefined;
  const body = writeJson(aggregatedDiscovery(root, served));
  return { status: 200, headers: [['Content-Type', aggregatedType]], body };
};

/** Discovery asks for the form of the answer twice, as the reviews do. */
const discoveryAnswer = (exchange: Exchange, object: OutputMap): Answer => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) return errorAnswer(exchange, notAcceptable(mediaTypeNames));
  return gatheredAnswer(exchange, object);
};

/** Beside the router nobody else looks at the form. */
const gatheredAnswer = (exchange: Exchange, object: OutputMap): Answer =>
  outputFormat(firstHeader(exchange.headers, 'accept'), 'plain') === undefined
    ? errorAnswer(exchange, formNotAcceptable(mediaTypeNames))
    : objectAnswer(exchange, 200, object);

/** JSON and nothing else, whatever else the server could write. */
const versionAnswer = (exchange: Exchange, facts: VersionFacts): Answer => {
  const accept = firstHeader(exchange.headers, 'accept') ?? '';
  return acceptsType(accept, 'application/json')
    ? rawJsonAnswer(200, versionObject(facts))
    : errorAnswer(exchange, notAcceptable(['application/json']));
};

const metricsAnswer = async (services: EndpointServices): Promise<Answer> => {
  const { contentType, text } = await services.metricsText();
  return { status: 200, headers: [['Content-Type', contentType]], body: text };
};

const healthEndpoint = (
  { list, check }: Extract<Endpoint, { kind: 'health' }>,
  exchange: Exchange,
  services: EndpointServices,
): Answer => {
  const checks = services.healthChecks(list);
  if (check === undefined) return healthAnswer(list, checks, exchange.target);
  const one = checks.find(({ name }) => name === check);
  return one === undefined ? notFound : checkAnswer(one);
};
