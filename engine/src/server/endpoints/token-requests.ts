/** The TokenRequest endpoint: issues a token of a service account. */

import { signToken } from '../../authenticators/service-account-token/claims.ts';
import {
  decideTokenRequest,
  type TokenRequestContext as IssuingContext,
  type TokenRequest,
} from '../../authenticators/service-account-token/token-request.ts';
import type { Fields } from '../../formats/go-struct/decode.ts';
import { mapField, stringField, stringListField } from '../../formats/go-struct/fields.ts';
import { badRequest, internalError, noSuchResource, overloaded } from '../../model/api-error.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import { type Store, StoreError } from '../../ports/store.ts';
import { stringAt } from '../../resources/object-fields.ts';
import { serviceAccountRules } from '../../resources/service-account.ts';
import { namespaceTerminating } from '../api/admission.ts';
import { namespaceNotFound } from '../api/object-errors.ts';
import { responseOf, StatusError, throwStatus } from '../api/status-error.ts';
import { authenticationGroups, servedVersion } from '../api-groups.ts';
import type { Exchange } from '../http/exchange.ts';
import { fieldManager } from '../http/field-manager.ts';
import type { HandlerResponse } from '../http/handler-response.ts';
import { requestLimits } from '../limits.ts';
import { subresourceMetadata } from '../wire/object-meta.ts';
import { type BodyRequest, type ObjectBody, readObject } from '../wire/read-object.ts';
import { tokenRequestObject, tokenRequestScheme } from '../wire/token-request.ts';
import { fieldsOf, reviewBytes, reviewResponse } from './create-review.ts';

export interface TokenRequestContext extends Omit<IssuingContext, 'group' | 'newId' | 'find'> {
  readonly namespace: string;
  /** The name of the service account. */
  readonly name: string;
  /** Absent if the server cannot sign tokens. */
  readonly signer: TokenSigner | undefined;
  readonly store: Pick<Store, 'get'>;
  readonly randomness: Randomness;
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
  try {
    if (signer === undefined) return throwStatus(noSuchResource);
    const body = await readBody(exchange, context.domain);
    const request = requestOf(body.fields, context);
    if (request.statedNamespace !== '' && request.statedNamespace !== context.namespace) {
      const message =
        'the namespace of the provided object does not match the namespace sent on the request';
      throwStatus(badRequest(message));
    }
    const input = { context, signer, body, request };
    return await answerRequest(exchange, input).catch(throwIssuingError);
  } catch (error) {
    return responseOf(exchange, error);
  }
};

const throwIssuingError = (cause: unknown): never => {
  if (cause instanceof StatusError) throw cause;
  return throwStatus(
    cause instanceof StoreError
      ? { ...overloaded(requestLimits.retryAfterSeconds), message: cause.message }
      : internalError('failed to generate token'),
  );
};

interface TokenRequestBody {
  readonly fields: Fields;
  readonly fieldManager: string;
  /** The API group of the request. */
  readonly group: string;
}

const readBody = async (exchange: Exchange, domain: string): Promise<TokenRequestBody> => {
  const { format, bytes, fieldValidation, fieldManager } = await reviewBytes(exchange);
  const bodyRequest = { format, bytes, kind, validation: fieldValidation };
  const { read, group } = readInStatedDomain(bodyRequest, `authentication.${domain}`);
  return { fields: fieldsOf(exchange, read), fieldManager, group };
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

const requestOf = (fields: Fields, { namespace, name }: TokenRequestContext): TokenRequest => {
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
  if (storedNamespace === undefined) return throwStatus(namespaceNotFound(namespace));
  if (stringAt(storedNamespace.object, 'status', 'phase') === 'Terminating') {
    throwStatus(namespaceTerminating({ group: '', rules: serviceAccountRules, namespace }, name));
  }
  const outcome = await decideTokenRequest(request, {
    ...context,
    group: body.group,
    newId: () => context.randomness.uuid(),
    find: async (key) => (await store.get(key))?.object,
  });
  exchange.warnings.push(...outcome.warnings);
  if (outcome.kind === 'error') {
    context.recordIssued(outcome.annotations);
    return throwStatus(outcome.error);
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
  return reviewResponse(exchange, object, typeMeta);
};

/** Adds the default expiration, which counts as written by the client. */
const withExpiration = (fields: Fields, seconds: bigint): Fields => {
  const spec = new Map(mapField(fields, 'spec')).set('expirationSeconds', seconds);
  return new Map(fields).set('spec', spec);
};
