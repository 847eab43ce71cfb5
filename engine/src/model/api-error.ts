/** Errors of the API with kube-apiserver's codes, reasons and messages. */

export interface ApiError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** An empty object differs from an absent one: kube-apiserver writes `"details":{}`. */
  readonly details?: ApiErrorDetails;
}

export interface ApiErrorDetails {
  readonly name?: string;
  readonly group?: string;
  /** A resource or a kind; kube-apiserver uses either. */
  readonly kind?: string;
  readonly causes?: readonly ApiErrorCause[];
  readonly retryAfterSeconds?: number;
}

export interface ApiErrorCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** The 401 response, which is the same for every reason. */
export const unauthorized: ApiError = {
  code: 401,
  reason: 'Unauthorized',
  message: 'Unauthorized',
};

/** The 404 response for an unknown resource of a served group. */
export const noSuchResource: ApiError = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
};

/** The 405 response. */
export const methodNotAllowed: ApiError = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
};

/** Creates a 500 response. The cause is only logged. */
export const internalError = (message: string): ApiError => ({
  code: 500,
  reason: 'InternalError',
  message: `Internal error occurred: ${message}`,
  details: { causes: [{ reason: '', message, field: '' }] },
});

/** Creates a 503 response for an overloaded server. */
export const overloaded = (retryAfterSeconds: number): ApiError => ({
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'the server is currently unable to handle the request',
  details: { retryAfterSeconds },
});

export const badRequest = (message: string): ApiError => ({
  code: 400,
  reason: 'BadRequest',
  message,
});

/** Creates the 406 response of the router, before the request is handled. */
export const notAcceptable = (available: readonly string[]): ApiError => ({
  code: 406,
  reason: 'NotAcceptable',
  message: `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
  details: {},
});

/**
 * Creates the 406 response for a media type that is served, but not with these parameters
 * (`as=Table`).
 */
export const formNotAcceptable = (available: readonly string[]): ApiError => ({
  code: 406,
  reason: 'NotAcceptable',
  message: `only the following media types are accepted: ${available.join(', ')}`,
});

export const unsupportedMediaType = (available: readonly string[]): ApiError => ({
  code: 415,
  reason: 'UnsupportedMediaType',
  message: `the body of the request was in an unknown format - accepted media types include: ${available.join(', ')}`,
});

export const bodyTooLarge = (limit: number): ApiError => ({
  code: 413,
  reason: 'RequestEntityTooLarge',
  message: `Request entity too large: limit is ${limit}`,
});

/** Creates a 422 response. The message joins the causes as kube-apiserver does. */
export const invalid = (
  object: {
    readonly kind: string;
    readonly group: string;
    readonly name: string;
    /** The name as messages quote it, if that differs from JSON. */
    readonly quotedName?: string;
  },
  causes: readonly ApiErrorCause[],
): ApiError => {
  const messages = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const joined = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  const qualified = object.group === '' ? object.kind : `${object.kind}.${object.group}`;
  return {
    code: 422,
    reason: 'Invalid',
    message: `${qualified} ${object.quotedName ?? JSON.stringify(object.name)} is invalid: ${joined}`,
    details: {
      ...(object.name === '' ? {} : { name: object.name }),
      group: object.group,
      kind: object.kind,
      causes,
    },
  };
};
