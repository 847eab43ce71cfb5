/** Formats what was found or proved about access, for people. */
import { toPrintable } from '../../diagnostics/printable.ts';
import { formatLocation } from '../../diagnostics/render.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { AccessCause, AccessPlace, AccessWitness, UndecidedReason } from './access-result.ts';

/** A file, and where a configuration is in it. */
export interface ConfigurationSource {
  readonly source: SourceFile;
  /** Converts a position in the configuration's own text to the file. */
  toFile(own: Span): Span;
}

/** The files of the two sides; absent for an artifact, which has no lines. */
export type SourcesOfSides = Readonly<Record<AccessPlace['side'], ConfigurationSource | undefined>>;

/** Returns the request of an example in one line. */
export const witnessLine = (witness: AccessWitness): string =>
  'request' in witness
    ? `a request for ${toPrintable(witness.request.path)} without a credential`
    : `a token with the claims ${toPrintable(JSON.stringify(witness.claims))}`;

/** Returns a field with its position and what it contains. */
export const causeLine = (cause: AccessCause, sources: SourcesOfSides): string =>
  toPrintable(`${locationOf(cause, sources)}${cause.at}: ${cause.rule}`);

/** Returns why there is neither an example nor a proof. */
export const undecidedLine = (
  { place, construct }: UndecidedReason,
  sources: SourcesOfSides,
): string =>
  toPrintable(
    place === undefined ? construct : `${locationOf(place, sources)}${place.at}: ${construct}`,
  );

const locationOf = ({ side, span }: AccessPlace, sources: SourcesOfSides): string => {
  const found = sources[side];
  return found === undefined || span === undefined
    ? ''
    : `${formatLocation(found.source, found.toFile(span).start)}  `;
};
