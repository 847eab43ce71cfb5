/** Routes an authenticated and authorized request to its endpoint. */

import { type OutputMap, outputMap } from '../../formats/output-value.ts';
import {
  formNotAcceptable,
  methodNotAllowed,
  noSuchResource,
  notAcceptable,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Store } from '../../ports/store.ts';
import type { ApiContext } from '../api/api-context.ts';
import { apiResponse } from '../api/api-response.ts';
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
import { checkResponse, type HealthCheck, healthResponse } from '../endpoints/health.ts';
import { type IssuerDocuments, issuerDocumentResponse } from '../endpoints/issuer-documents.ts';
import { openApiResponse } from '../endpoints/openapi.ts';
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
import type { Exchange } from '../http/exchange.ts';
import {
  errorResponse,
  type HandlerResponse,
  objectResponse,
  rawJsonResponse,
  textResponse,
} from '../http/handler-response.ts';
import { acceptsType, mediaTypeNames, outputFormat, routerAccepts } from '../wire/media-type.ts';
import { writeJson } from '../wire/write-json.ts';

/** The services that endpoints use. */
export interface EndpointServices {
  readonly apiAudiences: readonly string[];
  /** The address in discovery documents, such as `127.0.0.1:6443`. */
  readonly serverAddress: string;
  readonly version: VersionFacts;
  healthChecks(list: HealthList): readonly HealthCheck[];
  /** Returns metrics in the Prometheus text format with their content type. */
  metricsText(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Absent if no webhook path is configured. */
  readonly webhook:
    | (Pick<WebhookReviewContext, 'clock' | 'reasons'> & { readonly path: string })
    | undefined;
  /** Whether v1beta1 of the authentication groups is served. */
  readonly betaReviews: boolean;
  /** Absent if no objects are stored. */
  readonly objects: Omit<ApiContext, 'user'> | undefined;
  /** Absent if service account tokens are not configured. */
  readonly tokenRequests:
    | Pick<
        TokenRequestContext,
        | 'domain'
        | 'issuer'
        | 'maxExpirationSeconds'
        | 'extendExpiration'
        | 'rules'
        | 'uidMismatch'
        | 'signer'
      >
    | undefined;
  /** Absent if no keys are published. */
  readonly issuerDocuments: IssuerDocuments | undefined;
}

/** One request with its user and the services of the server. */
export interface EndpointContext
  extends Pick<TokenReviewContext, 'now' | 'authenticate' | 'recordReview'>,
    SelfSubjectReviewContext,
    Pick<TokenRequestContext, 'recordIssued'> {
  readonly services: EndpointServices;
  /** Returns the store with the fairness limits of this request. */
  readonly storeFor: (store: Store) => Store;
}

/** Routes the request and returns the response of its endpoint. */
export const endpointResponse = (
  exchange: Exchange,
  context: EndpointContext,
): HandlerResponse | Promise<HandlerResponse> => {
  const { webhook, apiAudiences, objects, issuerDocuments } = context.services;
  if (webhook !== undefined && webhook.path === exchange.target.path) {
    return answerWebhook(exchange, { ...context, apiAudiences, ...webhook });
  }
  const served = {
    objects: objects !== undefined,
    betaReviews: context.services.betaReviews,
    issuerDocuments: issuerDocuments !== undefined,
  };
  const routed = route(exchange.method, exchange.target.path, served);
  switch (routed.kind) {
    case 'endpoint':
      return callEndpoint(routed.endpoint, exchange, { context, served });
    case 'methodNotAllowed':
      return errorResponse(exchange, methodNotAllowed);
    case 'noSuchResource':
      return errorResponse(exchange, noSuchResource);
    case 'noSuchPath':
      return notFound;
  }
};

const notFound: HandlerResponse = textResponse(404, '404 page not found\n');

const callEndpoint = (
  endpoint: Endpoint,
  exchange: Exchange,
  { context, served }: { readonly context: EndpointContext; readonly served: Served },
): HandlerResponse | Promise<HandlerResponse> => {
  const { services } = context;
  switch (endpoint.kind) {
    case 'selfSubjectReviews':
      return createSelfSubjectReview(exchange, endpoint, context);
    case 'tokenReviews':
      return createTokenReview(exchange, {
        group: endpoint.group,
        now: context.now,
        apiAudiences: services.apiAudiences,
        authenticate: context.authenticate,
        recordReview: context.recordReview,
      });
    case 'apiGroups':
      return (
        aggregatedDiscoveryResponse(exchange, 'apis', served) ??
        formattedResponse(exchange, apiGroupList(served))
      );
    case 'apiGroup':
      return formattedResponse(exchange, apiGroup(endpoint.group, served));
    case 'apiResources':
      return discoveryResponse(exchange, apiResourceList(endpoint.group, endpoint.version));
    case 'coreVersions':
      return (
        aggregatedDiscoveryResponse(exchange, 'api', served) ??
        discoveryResponse(exchange, coreVersions(services.serverAddress, served))
      );
    case 'coreResources':
      return discoveryResponse(exchange, coreResourceList());
    case 'openApi':
      return openApiResponse(exchange, endpoint.document);
    case 'objects':
      return objectsResponse(exchange, endpoint.target, context);
    case 'issuerDocument':
      return services.issuerDocuments === undefined
        ? notFound
        : issuerDocumentResponse(exchange, endpoint.document, services.issuerDocuments);
    case 'version':
      return versionResponse(exchange, services.version);
    case 'index':
      return rawJsonResponse(200, outputMap(['paths', servedPaths(served)]));
    case 'metrics':
      return metricsResponse(services);
    case 'health':
      return healthEndpoint(endpoint, exchange, services);
  }
};

const objectsResponse = (
  exchange: Exchange,
  target: ObjectTarget,
  context: EndpointContext,
): HandlerResponse | Promise<HandlerResponse> => {
  const { user, services } = context;
  const { objects, tokenRequests, apiAudiences } = services;
  if (objects === undefined) return notFound;
  if (target.subresource !== 'token') {
    const store = context.storeFor(objects.store);
    return apiResponse(exchange, target, { ...objects, store, user });
  }
  if (exchange.method !== 'POST') return errorResponse(exchange, methodNotAllowed);
  if (tokenRequests === undefined) return errorResponse(exchange, noSuchResource);
  return createTokenRequest(exchange, {
    ...tokenRequests,
    namespace: target.namespace,
    name: target.name,
    apiAudiences,
    store: objects.store,
    randomness: objects.randomness,
    now: context.now,
    recordIssued: context.recordIssued,
  });
};

/**
 * Returns aggregated discovery, or `undefined` if the client does not accept it or no objects are
 * stored.
 */
const aggregatedDiscoveryResponse = (
  exchange: Exchange,
  root: 'api' | 'apis',
  served: Served,
): HandlerResponse | undefined => {
  const accept = firstHeader(exchange.headers, 'accept');
  const form = outputFormat(accept, 'discovery')?.form;
  if (!served.objects || form === undefined) return undefined;
  const body = writeJson(aggregatedDiscovery(root, served));
  return { status: 200, headers: [['Content-Type', aggregatedType]], body };
};

/** Returns a discovery document. Discovery negotiates the format twice, as the reviews do. */
const discoveryResponse = (exchange: Exchange, object: OutputMap): HandlerResponse => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) return errorResponse(exchange, notAcceptable(mediaTypeNames));
  return formattedResponse(exchange, object);
};

/** Returns a document of the aggregator, which negotiates the format once. */
const formattedResponse = (exchange: Exchange, object: OutputMap): HandlerResponse =>
  outputFormat(firstHeader(exchange.headers, 'accept'), 'plain') === undefined
    ? errorResponse(exchange, formNotAcceptable(mediaTypeNames))
    : objectResponse(exchange, 200, object);

/** Returns the version, which is available as JSON only. */
const versionResponse = (exchange: Exchange, facts: VersionFacts): HandlerResponse => {
  const accept = firstHeader(exchange.headers, 'accept') ?? '';
  return acceptsType(accept, 'application/json')
    ? rawJsonResponse(200, versionObject(facts))
    : errorResponse(exchange, notAcceptable(['application/json']));
};

const metricsResponse = async (services: EndpointServices): Promise<HandlerResponse> => {
  const { contentType, text } = await services.metricsText();
  return { status: 200, headers: [['Content-Type', contentType]], body: text };
};

const healthEndpoint = (
  { list, check }: Extract<Endpoint, { kind: 'health' }>,
  exchange: Exchange,
  services: EndpointServices,
): HandlerResponse => {
  const checks = services.healthChecks(list);
  if (check === undefined) return healthResponse(list, checks, exchange.target);
  const one = checks.find(({ name }) => name === check);
  return one === undefined ? notFound : checkResponse(one);
};
