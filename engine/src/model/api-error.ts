/** Refusals of the API: the real server's codes, reasons and texts. */

export interface ApiError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** Present and empty is not the same as absent: the real server writes `"details":{}`. */
  readonly details?: ApiErrorDetails;
}

export interface ApiErrorDetails {
  readonly name?: string;
  readonly group?: string;
  /** A resource or a kind; the real server puts either here. */
  readonly kind?: string;
  readonly causes?: readonly ApiErrorCause[];
  readonly retryAfterSeconds?: number;
}

export interface ApiErrorCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** 401: one constant answer, whatever the reason was. */
export const unauthorized: ApiError = {
  code: 401,
  reason: 'Unauthorized',
  message: 'Unauthorized',
};

/** 404 under a group that is served. */
export const noSuchResource: ApiError = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
};

/** 405. */
export const methodNotAllowed: ApiError = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
};

/** 500; what happened stands in the log alone. */
export const internalError = (message: string): ApiError => ({
  code: 500,
  reason: 'InternalError',
  message: `Internal error occurred: ${message}`,
  details: { causes: [{ reason: '', message, field: '' }] },
});

/** 503 of a server that has too much to do. */
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

/** 406 of the router, which comes before any work. */
export const notAcceptable = (available: readonly string[]): ApiError => ({
  code: 406,
  reason: 'NotAcceptable',
  message: `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
  details: {},
});

/** 406 of the handler: the type is served, but not in this form (`as=Table`). */
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

/** 422. The causes are `field` and text; the message joins them as the real server does. */
export const invalid = (
  object: {
    readonly kind: string;
    readonly group: string;
    readonly name: string;
    /** As messages quote it, where that is not as JSON does. */
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
