/** Converts what was found or proved about access to JSON. */
import type {
  AccessCause,
  AccessPlace,
  UndecidedReason,
} from '../simulate/access/access-result.ts';
import type { SourcesOfSides } from '../simulate/access/access-text.ts';

export const causeData = (cause: AccessCause, sources: SourcesOfSides): object => ({
  ...placeData(cause, sources),
  rule: cause.rule,
});

export const undecidedData = (
  { place, construct }: UndecidedReason,
  sources: SourcesOfSides,
): object => ({ ...(place && placeData(place, sources)), reason: construct });

/** Returns the field, with file and line if they are known. */
const placeData = ({ side, at, span }: AccessPlace, sources: SourcesOfSides): object => {
  const found = sources[side];
  if (found === undefined || span === undefined) return { field: at };
  const { source, toFile } = found;
  return { file: source.uri, line: source.positionAt(toFile(span).start).line + 1, field: at };
};
