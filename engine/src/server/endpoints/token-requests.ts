/** POST …/serviceaccounts/NAME/token: a new token of a service account, signed by this server. */
import {
  type AccountTokenRules,
  decideTokenRequest,
  type ForeignUid,
  signToken,
  type TokenRequest,
} from '../../authenticators/service-account-token/index.ts';
import { goQuote } from '../../formats/go-quote.ts';
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
import { type Answer, errorAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { fieldManager } from '../http/field-manager.ts';
import { bodyLimits, requestLimits } from '../limits.ts';
import type { Field } from '../wire/decode-object.ts';
import { mapField, textField, textListField } from '../wire/field-values.ts';
import { inputFormat, mediaTypeNames, outputFormat, routerAccepts } from '../wire/media-type.ts';
import { namedMetadata } from '../wire/object-meta.ts';
import { type BodyRequest, type ObjectBody, readObject } from '../wire/read-object.ts';
import { tokenRequestObject, tokenRequestScheme } from '../wire/token-request.ts';
import { createOptions } from './create-options.ts';
import { reviewAnswer } from './create-review.ts';

export interface TokenRequestContext {
  readonly namespace: string;
  /** Of the service account. */
  readonly name: string;
  /** `--api-domain`: of answers to requests that name no group. */
  readonly domain: string;
  readonly issuer: string;
  readonly apiAudiences: readonly string[];
  readonly maxExpirationSeconds: number;
  readonly extendExpiration: boolean;
  readonly rules: AccountTokenRules;
  readonly foreignUid: ForeignUid;
  /** Absent where nobody can make tokens. */
  readonly signer: TokenSigner | undefined;
  readonly store: Pick<Store, 'get'>;
  readonly randomness: Randomness;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Takes what is noted about the request and the new token, for the log; never the token. */
  issued(annotations: ReadonlyMap<string, string>): void;
}

const kind = 'TokenRequest';

/** Warnings go to the exchange. */
export const createTokenRequest = async (
  exchange: Exchange,
  context: TokenRequestContext,
): Promise<Answer> => {
  const { signer } = context;
  if (signer === undefined) return errorAnswer(exchange, noSuchResource);
  const body = await readBody(exchange, context.domain);
  if ('error' in body) return errorAnswer(exchange, body.error);
  const request = requestOf(body.fields, context);
  if (request.ownNamespace !== '' && request.ownNamespace !== context.namespace) {
    const message =
      'the namespace of the provided object does not match the namespace sent on the request';
    return errorAnswer(exchange, badRequest(message));
  }
  try {
    return await answerRequest(exchange, { context, signer, body, request });
  } catch (cause) {
    if (cause instanceof StoreError) {
      const error = overloaded(requestLimits.retryAfterSeconds);
      return errorAnswer(exchange, { ...error, message: cause.message });
    }
    return errorAnswer(exchange, internalError('failed to generate token'));
  }
};

interface ReadRequest {
  readonly fields: ReadonlyMap<string, Field>;
  readonly fieldManager: string;
  /** In which the request speaks. */
  readonly group: string;
}

/** In the real server's order: form of the answer, form of the body, options, the object. */
const readBody = async (
  exchange: Exchange,
  domain: string,
): Promise<ReadRequest | { readonly error: ApiError }> => {
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
  const question = { format, bytes: body.bytes, kind, validation: options.fieldValidation };
  const { read, group } = readInItsDomain(question, `authentication.${domain}`);
  exchange.warnings.push(...read.warnings);
  if (read.kind === 'error') return { error: read.error };
  return { fields: read.fields, fieldManager: options.fieldManager, group };
};

/** The path belongs to no domain: the body says in which one it speaks, or it is the server's own. */
const readInItsDomain = (
  question: Omit<BodyRequest, 'group'>,
  own: string,
): { readonly read: ObjectBody; readonly group: string } => {
  const scheme = tokenRequestScheme(own);
  let stated = own;
  const read = readObject(
    { ...question, group: own },
    {
      ...scheme,
      lookUp(typeMeta) {
        stated = typeMeta.group;
        return scheme.lookUp(typeMeta);
      },
    },
  );
  if (stated === own || !authenticationGroups.has(stated)) return { read, group: own };
  return {
    read: readObject({ ...question, group: stated }, tokenRequestScheme(stated)),
    group: stated,
  };
};

const defaultExpirationSeconds = 3600n;

const requestOf = (
  fields: ReadonlyMap<string, Field>,
  { namespace, name }: TokenRequestContext,
): TokenRequest => {
  const metadata = mapField(fields, 'metadata');
  const spec = mapField(fields, 'spec');
  const ref = spec.get('boundObjectRef');
  const seconds = spec.get('expirationSeconds');
  return {
    namespace,
    account: name,
    name: textField(metadata, 'name'),
    ownNamespace: textField(metadata, 'namespace'),
    uid: textField(metadata, 'uid'),
    audiences: textListField(spec, 'audiences'),
    expirationSeconds: typeof seconds === 'bigint' ? seconds : defaultExpirationSeconds,
    boundTo:
      ref instanceof Map
        ? {
            kind: textField(ref, 'kind'),
            apiVersion: textField(ref, 'apiVersion'),
            name: textField(ref, 'name'),
            uid: textField(ref, 'uid'),
          }
        : undefined,
  };
};

interface Asked {
  readonly context: TokenRequestContext;
  readonly signer: TokenSigner;
  readonly body: ReadRequest;
  readonly request: TokenRequest;
}

const answerRequest = async (
  exchange: Exchange,
  { context, signer, body, request }: Asked,
): Promise<Answer> => {
  const { store, namespace, name, now } = context;
  const space = await store.get({ resource: 'namespaces', namespace: '', name: namespace });
  const misplaced = namespaceProblem(space?.object, context);
  if (misplaced !== undefined) return errorAnswer(exchange, misplaced);
  const outcome = await decideTokenRequest(request, {
    issuer: context.issuer,
    apiAudiences: context.apiAudiences,
    maxExpirationSeconds: context.maxExpirationSeconds,
    extendExpiration: context.extendExpiration,
    rules: context.rules,
    foreignUid: context.foreignUid,
    group: body.group,
    domain: context.domain,
    now,
    newId: () => context.randomness.uuid(),
    find: async (key) => (await store.get(key))?.object,
  });
  exchange.warnings.push(...outcome.warnings);
  if (outcome.kind === 'error') {
    context.issued(outcome.annotations);
    return errorAnswer(exchange, outcome.error);
  }
  const token = await signToken(outcome.claims, signer);
  context.issued(outcome.annotations);
  const head = { kind, apiVersion: `${body.group}/${servedVersion}` };
  const metadata = namedMetadata(
    withExpiration(body.fields, request.expirationSeconds),
    {
      apiVersion: head.apiVersion,
      manager: fieldManager(body.fieldManager, exchange.headers),
      now,
      subresource: 'token',
    },
    { name, namespace, uid: outcome.accountUid, createdAt: now },
  );
  const object = tokenRequestObject(head, {
    metadata,
    audiences: outcome.audiences,
    expirationSeconds: outcome.expirationSeconds,
    boundTo: request.boundTo,
    token,
    expiresAt: now + outcome.expirationSeconds * 1000,
  });
  return reviewAnswer(exchange, object, head);
};

/** Nothing new is made in a namespace that is not there, or is on its way out. */
const namespaceProblem = (
  space: JsonObject | undefined,
  { namespace, name }: TokenRequestContext,
): ApiError | undefined => {
  if (space === undefined) {
    return {
      code: 404,
      reason: 'NotFound',
      message: `namespaces ${goQuote(namespace)} not found`,
      details: { name: namespace, kind: 'namespaces' },
    };
  }
  const status = space.get('status');
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

/** The default counts as written by the client: it is filled in while the body is read. */
const withExpiration = (
  fields: ReadonlyMap<string, Field>,
  seconds: bigint,
): ReadonlyMap<string, Field> => {
  const spec = new Map(mapField(fields, 'spec')).set('expirationSeconds', seconds);
  return new Map(fields).set('spec', spec);
};
