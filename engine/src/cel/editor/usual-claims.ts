/** Claims that an expression may go on with although nobody was seen to have them. */
import { type KnownClaim, knownClaims } from '../../model/known-claims.ts';
import type { EnvironmentName } from '../compile-expression.ts';
import type { WrittenPlace } from './draft-place.ts';

/** Those of the documents, behind `claims.`; none behind anything else, nor inside of a macro. */
export const usualClaims = (
  text: string,
  { receiver, bindings }: Pick<WrittenPlace, 'receiver' | 'bindings'>,
  environment: EnvironmentName,
): readonly KnownClaim[] =>
  environment === 'claims' &&
  bindings.length === 0 &&
  text.slice(receiver?.start, receiver?.end) === 'claims'
    ? knownClaims
    : [];
