/**
 * A refusal that ends a write where it is found. Only the files of this room throw and catch it:
 * a write is a long row of checks, and each of them would else hand every refusal through.
 */
import { pathSegmentProblems } from '../../formats/api-names.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import { StoreError } from '../../ports/store.ts';
import { errorInDomain } from '../../resources/group-domain.ts';
import { type Answer, errorAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { storeRefusal } from './refusals.ts';
import type { ObjectTarget } from './target.ts';

/** The error that a refused request is answered with. */
export class Refusal extends Error {
  readonly error: ApiError;
  /** Where the answer is more than the error. */
  readonly answer: Answer | undefined;
  constructor(error: ApiError, answer?: Answer) {
    super(error.message);
    this.error = error;
    this.answer = answer;
  }
}

/** Ends the request here. */
export const refuse = (error: ApiError): never => {
  throw new Refusal(error);
};

/** No store has a key for some names; said where the store would be asked. */
export const checkKey = ({ name }: ObjectTarget): void => {
  const problems = pathSegmentProblems(name);
  if (problems.length === 0) return;
  refuse(badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`));
};

/** The answer of the work, or of its refusal, in the domain of the request. */
export const refusing = async (
  exchange: Exchange,
  target: ObjectTarget,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) {
      return errorAnswer(exchange, storeRefusal(error, target, target.name));
    }
    if (!(error instanceof Refusal)) throw error;
    return error.answer ?? errorAnswer(exchange, errorInDomain(error.error, target.domain));
  }
};
