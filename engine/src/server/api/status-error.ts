/**
 * An error that ends a request with a Status response. Only files of this folder throw and catch
 * it, because a write consists of many checks that would otherwise pass every error on.
 */
import { pathSegmentProblems } from '../../formats/api-names.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import { StoreError } from '../../ports/store.ts';
import { errorToClientDomain } from '../../resources/group-domain.ts';
import type { Exchange } from '../http/exchange.ts';
import { errorResponse, type HandlerResponse } from '../http/handler-response.ts';
import type { ApiContext } from './api-context.ts';
import { storeApiError } from './object-errors.ts';
import type { ObjectTarget } from './target.ts';

/** The error of a failed request. */
export class StatusError extends Error {
  readonly error: ApiError;
  /** A response that contains more than the error. */
  readonly response: HandlerResponse | undefined;
  constructor(error: ApiError, response?: HandlerResponse) {
    super(error.message);
    this.error = error;
    this.response = response;
  }
}

/** Throws an error that ends the request. */
export const throwStatus = (error: ApiError): never => {
  throw new StatusError(error);
};

/** Returns the response of a thrown `StatusError`; throws other errors again. */
export const responseOf = (exchange: Exchange, error: unknown): HandlerResponse => {
  if (!(error instanceof StatusError)) throw error;
  return error.response ?? errorResponse(exchange, error.error);
};

/** Rejects names that stores cannot use as keys; called before the store is read. */
export const checkKey = ({ name }: ObjectTarget): void => {
  const problems = pathSegmentProblems(name);
  if (problems.length === 0) return;
  throwStatus(badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`));
};

/** Handles a request for stored objects. */
export type ObjectHandler = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
) => Promise<HandlerResponse>;

/** Makes a handler return the response of a thrown error, in the API domain of the request. */
export const withStatusErrors =
  (handle: ObjectHandler): ObjectHandler =>
  async (exchange, target, context) => {
    try {
      return await handle(exchange, target, context);
    } catch (error) {
      if (error instanceof StoreError) {
        return errorResponse(exchange, storeApiError(error, target, target.name));
      }
      if (!(error instanceof StatusError)) throw error;
      return (
        error.response ?? errorResponse(exchange, errorToClientDomain(error.error, target.domain))
      );
    }
  };
