/**
 * The discovery document and the key set of the service account issuer. They are created once, at
 * the start; if that is not possible, the paths do not exist.
 */
import { parseGoUrl } from '../../formats/go-url.ts';
import { type OutputMap, outputMap } from '../../formats/output-value.ts';
import { methodNotAllowed, notAcceptable } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { AccountKey } from '../../signed-token/account-keys.ts';
import type { Exchange } from '../http/exchange.ts';
import { errorResponse, type HandlerResponse } from '../http/handler-response.ts';
import { acceptsType } from '../wire/media-type.ts';
import { writeJson } from '../wire/write-json.ts';

export const issuerDocumentPaths = {
  configuration: '/.well-known/openid-configuration',
  keys: '/openid/v1/jwks',
} as const;

export type IssuerDocument = keyof typeof issuerDocumentPaths;

export interface IssuerDocuments {
  readonly configuration: string;
  readonly keys: string;
}

export interface IssuerFacts {
  /** The first value of `--service-account-issuer`; empty if unset. */
  readonly issuer: string;
  /** The value of `--service-account-jwks-uri`; empty if unset. */
  readonly jwksUri: string;
  /** The `HOST:PORT` at which clients reach this server. */
  readonly address: string;
  readonly keys: readonly AccountKey[];
}

export type IssuerDocumentsOutcome =
  | { readonly kind: 'documents'; readonly documents: IssuerDocuments }
  /** The reason, in kube-apiserver's words, for the log. */
  | { readonly kind: 'none'; readonly reason: string };

export const issuerDocuments = (facts: IssuerFacts): IssuerDocumentsOutcome => {
  const { issuer, keys } = facts;
  const jwksUri =
    facts.jwksUri === '' ? `https://${facts.address}${issuerDocumentPaths.keys}` : facts.jwksUri;
  const reason = issuerProblem(issuer) ?? jwksUriProblem(jwksUri) ?? keysProblem(keys);
  if (reason !== undefined) return { kind: 'none', reason };
  const configuration = outputMap(
    ['issuer', issuer],
    ['jwks_uri', jwksUri],
    ['response_types_supported', ['id_token']],
    ['subject_types_supported', ['public']],
    [
      'id_token_signing_alg_values_supported',
      [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
    ],
  );
  return {
    kind: 'documents',
    documents: {
      configuration: writeJson(configuration).trimEnd(),
      keys: writeJson(outputMap(['keys', keys.map(webKey)])).trimEnd(),
    },
  };
};

/** OpenID Connect Discovery 3: https, no query, no fragment. */
const issuerProblem = (issuer: string): string | undefined => {
  if (issuer === '') return 'empty issuer URL';
  const url = parseGoUrl(issuer);
  if (url.kind === 'error') return url.message;
  if (url.scheme !== 'https') return `issuer URL must use https scheme, got: ${issuer}`;
  if (url.query !== '') return `issuer URL may not include a query, got: ${issuer}`;
  return url.fragment === '' ? undefined : `issuer URL may not include a fragment, got: ${issuer}`;
};

const jwksUriProblem = (uri: string): string | undefined => {
  const url = parseGoUrl(uri);
  if (url.kind === 'error') return url.message;
  return url.scheme === 'https' ? undefined : `jwksURI requires https scheme, parsed as: ${uri}`;
};

const keysProblem = (keys: readonly AccountKey[]): string | undefined =>
  keys.length === 0 ? 'no keys provided for validating keyset' : undefined;

const webKey = ({ jwk, keyId, algorithm }: AccountKey): OutputMap =>
  outputMap(
    ['use', 'sig'],
    ['kty', jwk.kty],
    ['kid', keyId],
    ['crv', jwk.kty === 'EC' ? jwk.crv : undefined],
    ['alg', algorithm],
    ['x', jwk.kty === 'EC' ? jwk.x : undefined],
    ['y', jwk.kty === 'EC' ? jwk.y : undefined],
    ['n', jwk.kty === 'RSA' ? jwk.n : undefined],
    ['e', jwk.kty === 'RSA' ? jwk.e : undefined],
  );

const contentTypes: Readonly<Record<IssuerDocument, string>> = {
  configuration: 'application/json',
  keys: 'application/jwk-set+json',
};

/**
 * Returns one document if the client accepts its media type. HEAD is not allowed. Its Cache-Control
 * replaces the default header.
 */
export const issuerDocumentResponse = (
  exchange: Exchange,
  document: IssuerDocument,
  documents: IssuerDocuments,
): HandlerResponse => {
  if (exchange.method !== 'GET') return errorResponse(exchange, methodNotAllowed);
  const contentType = contentTypes[document];
  if (!acceptsType(firstHeader(exchange.headers, 'accept') ?? '', contentType)) {
    return errorResponse(exchange, notAcceptable([contentType]));
  }
  return {
    status: 200,
    headers: [
      ['Content-Type', contentType],
      ['Cache-Control', 'public, max-age=3600'],
    ],
    body: documents[document],
  };
};
