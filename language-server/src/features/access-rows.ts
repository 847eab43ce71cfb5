/** What was found or proved about access, as clients show it. All untrusted strings are escaped. */
import {
  type AccessCause,
  type AccessPlace,
  type AccessWitness,
  toPrintable,
  type UndecidedReason,
} from '@authgraph/engine/language';
import type { AccessPlaceRow, AccessWitnessRow } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';

/** Returns a field with what it contains; only fields of the open document have a place. */
export const causeRow = (
  { rule, ...place }: AccessCause,
  part: ConfigurationPart | undefined,
): AccessPlaceRow => placeRow(place, rule, part);

/** Returns why there is neither an example nor a proof. */
export const reasonRow = (
  { place, construct }: UndecidedReason,
  part: ConfigurationPart | undefined,
): AccessPlaceRow =>
  place === undefined ? { text: toPrintable(construct) } : placeRow(place, construct, part);

export const witnessRow = (witness: AccessWitness): AccessWitnessRow =>
  'request' in witness
    ? { kind: 'anonymous', path: toPrintable(witness.request.path) }
    : {
        kind: 'token',
        issuer: toPrintable(witness.issuer),
        audience: toPrintable(witness.audience),
        claims: toPrintable(JSON.stringify(witness.claims)),
      };

const placeRow = (
  { side, at, span }: AccessPlace,
  text: string,
  part: ConfigurationPart | undefined,
): AccessPlaceRow => ({
  text: toPrintable(text),
  field: at,
  side,
  ...(side === 'before' || part === undefined || span === undefined
    ? {}
    : { place: { uri: part.uri, range: part.places.range(span) } }),
});
