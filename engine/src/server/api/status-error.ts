/**
 * A refusal that ends a write where it is found. Only the files of this room throw and catch it:
 * a write is a long row of checks, and each of them would else hand every refusal through.
 */
import { pathSegmentProblems } from '../../formats/api-names.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import { StoreError } from '../../ports/store.ts';
import { errorToClientDomain } from '../../resources/group-domain.ts';
import { type HandlerResponse, errorResponse } from '../http/handler-response.ts';
import type { Exchange } from '../http/exchange.ts';
import { storeApiError } from './object-errors.ts';
import type { ObjectTarget } from './target.ts';

/** The error that a refused request is answered with. */
export class StatusError extends Error {
  readonly error: ApiError;
  /** Where the answer is more than the error. */
  readonly answer: HandlerResponse | undefined;
  constructor(error: ApiError, answer?: HandlerResponse) {
    super(error.message);
    this.error = error;
    this.answer = answer;
  }
}

/** Ends the request here. */
export const throwStatus = (error: ApiError): never => {
  throw new StatusError(error);
};

/** No store has a key for some names; said where the store would be asked. */
export const checkKey = ({ name }: ObjectTarget): void => {
  const problems = pathSegmentProblems(name);
  if (problems.length === 0) return;
  throwStatus(badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`));
};

/** The answer of the work, or of its refusal, in the domain of the request. */
export const withStatusErrors = async (
  exchange: Exchange,
  target: ObjectTarget,
  work: () => Promise<HandlerResponse>,
): Promise<HandlerResponse> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) {
      return errorResponse(exchange, storeApiError(error, target, target.name));
    }
    if (!(error instanceof StatusError)) throw error;
    return error.answer ?? errorResponse(exchange, errorToClientDomain(error.error, target.domain));
  }
};
