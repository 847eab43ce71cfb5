/** Converts what was found or proved about access to JSON. */
import type { UserInfo } from '../model/user-info.ts';
import type {
  AccessCause,
  AccessPlace,
  UndecidedReason,
} from '../simulate/access/access-result.ts';
import type { SourcesOfSides } from './access-text.ts';

export const userData = (user: UserInfo | null): object | null =>
  user === null ? null : { ...user, extra: Object.fromEntries(user.extra) };

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
  const source = sources[side];
  return source === undefined || span === undefined
    ? { field: at }
    : { file: source.uri, line: source.positionAt(span.start).line + 1, field: at };
};
