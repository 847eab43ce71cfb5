/** Claims that an expression may go on with although nobody was seen to have them. */
import { type KnownClaim, knownClaims } from '../../model/known-claims.ts';
import type { EnvironmentName } from '../compile-expression.ts';
import type { DraftPlace } from './draft-place.ts';

/** Those of the documents, behind `claims.`; none behind anything else, nor inside of a macro. */
export const documentedClaims = (
  text: string,
  { receiver, bindings }: Pick<DraftPlace, 'receiver' | 'bindings'>,
  environment: EnvironmentName,
): readonly KnownClaim[] =>
  environment === 'claims' &&
  bindings.length === 0 &&
  text.slice(receiver?.start, receiver?.end) === 'claims'
    ? knownClaims
    : [];
