/** The TokenRequest endpoint: issues a token of a service account. */

import {
  type AccountTokenRules,
  decideTokenRequest,
  signToken,
  type TokenRequest,
  type UidMismatchRule,
} from '../../authenticators/service-account-token/index.ts';
import { goQuote } from '../../formats/go-quote.ts';
import type { DecodedValue } from '../../formats/go-struct/decode.ts';
import { mapField, stringField, stringListField } from '../../formats/go-struct/fields.ts';
import {
  type ApiError,
  badRequest,
  bodyTooLarge,
  formNotAcceptable,
  internalError,
  noSuchResource,
  notAcceptable,
  overloaded,
  unsupportedMediaType,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import { type Store, StoreError } from '../../ports/store.ts';
import { authenticationGroups, servedVersion } from '../api-groups.ts';
import type { Exchange } from '../http/exchange.ts';
import { fieldManager } from '../http/field-manager.ts';
import { errorResponse, type HandlerResponse } from '../http/handler-response.ts';
import { bodyLimits, requestLimits } from '../limits.ts';
import { inputFormat, mediaTypeNames, outputFormat, routerAccepts } from '../wire/media-type.ts';
import { subresourceMetadata } from '../wire/object-meta.ts';
import { type BodyRequest, type ObjectBody, readObject } from '../wire/read-object.ts';
import { tokenRequestObject, tokenRequestScheme } from '../wire/token-request.ts';
import { createOptions } from './create-options.ts';
import { reviewAnswer } from './create-review.ts';

export interface TokenRequestContext {
  readonly namespace: string;
  /** The name of the service account. */
  readonly name: string;
  /** The API domain of responses to requests without a group: `--api-domain`. */
  readonly domain: string;
  readonly issuer: string;
  readonly apiAudiences: readonly string[];
  readonly maxExpirationSeconds: number;
  readonly extendExpiration: boolean;
  readonly rules: AccountTokenRules;
  readonly uidMismatch: UidMismatchRule;
  /** Absent if the server cannot sign tokens. */
  readonly signer: TokenSigner | undefined;
  readonly store: Pick<Store, 'get'>;
  readonly randomness: Randomness;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Receives audit annotations of the request and the new token, without the token. */
  recordIssued(annotations: ReadonlyMap<string, string>): void;
}

const kind = 'TokenRequest';

/** Issues a token; warnings are added to the exchange. */
export const createTokenRequest = async (
  exchange: Exchange,
  context: TokenRequestContext,
): Promise<HandlerResponse> => {
  const { signer } = context;
  if (signer === undefined) return errorResponse(exchange, noSuchResource);
  const body = await readBody(exchange, context.domain);
  if ('error' in body) return errorResponse(exchange, body.error);
  const request = requestOf(body.fields, context);
  if (request.statedNamespace !== '' && request.statedNamespace !== context.namespace) {
    const message =
      'the namespace of the provided object does not match the namespace sent on the request';
    return errorResponse(exchange, badRequest(message));
  }
  try {
    return await answerRequest(exchange, { context, signer, body, request });
  } catch (cause) {
    if (cause instanceof StoreError) {
      const error = overloaded(requestLimits.retryAfterSeconds);
      return errorResponse(exchange, { ...error, message: cause.message });
    }
    return errorResponse(exchange, internalError('failed to generate token'));
  }
};

interface TokenRequestBody {
  readonly fields: ReadonlyMap<string, DecodedValue>;
  readonly fieldManager: string;
  /** The API group of the request. */
  readonly group: string;
}

/** Reads the body in kube-apiserver's order: response format, body format, options, object. */
const readBody = async (
  exchange: Exchange,
  domain: string,
): Promise<TokenRequestBody | { readonly error: ApiError }> => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) return { error: notAcceptable(mediaTypeNames) };
  if (outputFormat(accept, 'resource') === undefined) {
    return { error: formNotAcceptable(mediaTypeNames) };
  }
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) return { error: unsupportedMediaType(mediaTypeNames) };
  const body = await exchange.readBody(bodyLimits.bytes);
  if (body.kind === 'tooLarge') return { error: bodyTooLarge(bodyLimits.bytes) };
  if (body.kind === 'broken') return { error: badRequest('unexpected EOF') };
  const options = createOptions(exchange.target);
  if (options.kind === 'error') return options;
  const bodyRequest = { format, bytes: body.bytes, kind, validation: options.fieldValidation };
  const { read, group } = readInStatedDomain(bodyRequest, `authentication.${domain}`);
  exchange.warnings.push(...read.warnings);
  if (read.kind === 'error') return { error: read.error };
  return { fields: read.fields, fieldManager: options.fieldManager, group };
};

/**
 * Decodes the body. The path has no API domain, so the body determines it; the default is the
 * server's own.
 */
const readInStatedDomain = (
  bodyRequest: Omit<BodyRequest, 'group'>,
  serverGroup: string,
): { readonly read: ObjectBody; readonly group: string } => {
  const scheme = tokenRequestScheme(serverGroup);
  let stated = serverGroup;
  const read = readObject(
    { ...bodyRequest, group: serverGroup },
    {
      ...scheme,
      lookUp(typeMeta) {
        stated = typeMeta.group;
        return scheme.lookUp(typeMeta);
      },
    },
  );
  if (stated === serverGroup || !authenticationGroups.has(stated))
    return { read, group: serverGroup };
  return {
    read: readObject({ ...bodyRequest, group: stated }, tokenRequestScheme(stated)),
    group: stated,
  };
};

const defaultExpirationSeconds = 3600n;

const requestOf = (
  fields: ReadonlyMap<string, DecodedValue>,
  { namespace, name }: TokenRequestContext,
): TokenRequest => {
  const metadata = mapField(fields, 'metadata');
  const spec = mapField(fields, 'spec');
  const ref = spec.get('boundObjectRef');
  const seconds = spec.get('expirationSeconds');
  return {
    namespace,
    account: name,
    name: stringField(metadata, 'name'),
    statedNamespace: stringField(metadata, 'namespace'),
    uid: stringField(metadata, 'uid'),
    audiences: stringListField(spec, 'audiences'),
    expirationSeconds: typeof seconds === 'bigint' ? seconds : defaultExpirationSeconds,
    boundObjectRef:
      ref instanceof Map
        ? {
            kind: stringField(ref, 'kind'),
            apiVersion: stringField(ref, 'apiVersion'),
            name: stringField(ref, 'name'),
            uid: stringField(ref, 'uid'),
          }
        : undefined,
  };
};

interface TokenRequestInput {
  readonly context: TokenRequestContext;
  readonly signer: TokenSigner;
  readonly body: TokenRequestBody;
  readonly request: TokenRequest;
}

const answerRequest = async (
  exchange: Exchange,
  { context, signer, body, request }: TokenRequestInput,
): Promise<HandlerResponse> => {
  const { store, namespace, name, now } = context;
  const storedNamespace = await store.get({
    resource: 'namespaces',
    namespace: '',
    name: namespace,
  });
  const namespaceError = namespaceProblem(storedNamespace?.object, context);
  if (namespaceError !== undefined) return errorResponse(exchange, namespaceError);
  const outcome = await decideTokenRequest(request, {
    issuer: context.issuer,
    apiAudiences: context.apiAudiences,
    maxExpirationSeconds: context.maxExpirationSeconds,
    extendExpiration: context.extendExpiration,
    rules: context.rules,
    uidMismatch: context.uidMismatch,
    group: body.group,
    domain: context.domain,
    now,
    newId: () => context.randomness.uuid(),
    find: async (key) => (await store.get(key))?.object,
  });
  exchange.warnings.push(...outcome.warnings);
  if (outcome.kind === 'error') {
    context.recordIssued(outcome.annotations);
    return errorResponse(exchange, outcome.error);
  }
  const token = await signToken(outcome.claims, signer);
  context.recordIssued(outcome.annotations);
  const typeMeta = { kind, apiVersion: `${body.group}/${servedVersion}` };
  const metadata = subresourceMetadata(
    withExpiration(body.fields, request.expirationSeconds),
    {
      apiVersion: typeMeta.apiVersion,
      manager: fieldManager(body.fieldManager, exchange.headers),
      now,
      subresource: 'token',
    },
    { name, namespace, uid: outcome.accountUid, createdAt: now },
  );
  const object = tokenRequestObject(typeMeta, {
    metadata,
    audiences: outcome.audiences,
    expirationSeconds: outcome.expirationSeconds,
    boundTo: request.boundObjectRef,
    token,
    expiresAt: now + outcome.expirationSeconds * 1000,
  });
  return reviewAnswer(exchange, object, typeMeta);
};

/** Rejects the request if the namespace does not exist or is terminating. */
const namespaceProblem = (
  storedNamespace: JsonObject | undefined,
  { namespace, name }: TokenRequestContext,
): ApiError | undefined => {
  if (storedNamespace === undefined) {
    return {
      code: 404,
      reason: 'NotFound',
      message: `namespaces ${goQuote(namespace)} not found`,
      details: { name: namespace, kind: 'namespaces' },
    };
  }
  const status = storedNamespace.get('status');
  if (!(status instanceof Map) || status.get('phase') !== 'Terminating') return undefined;
  return {
    code: 403,
    reason: 'Forbidden',
    message: `serviceaccounts ${goQuote(name)} is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    details: {
      name,
      kind: 'serviceaccounts',
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  };
};

/** Adds the default expiration, which counts as written by the client. */
const withExpiration = (
  fields: ReadonlyMap<string, DecodedValue>,
  seconds: bigint,
): ReadonlyMap<string, DecodedValue> => {
  const spec = new Map(mapField(fields, 'spec')).set('expirationSeconds', seconds);
  return new Map(fields).set('spec', spec);
};
