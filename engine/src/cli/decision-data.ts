/** The parts of decisions that several commands write as JSON: users and the steps of a trace. */
import { type JsonRange, jsonRange } from '../diagnostics/json.ts';
import type { TraceStep } from '../model/trace.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { PlaceFinder } from './trace-text.ts';

export const userData = (user: UserInfo | null): object | null =>
  user === null ? null : { ...user, extra: Object.fromEntries(user.extra) };

export const stepData = (step: TraceStep, find: PlaceFinder['find']): object => ({
  ...step,
  ...placed(step.at, find),
});

/** Returns the place of a field of the configuration, if it is known. */
export const placed = (
  path: string | undefined,
  find: PlaceFinder['find'],
): { readonly place?: { readonly file: string; readonly range: JsonRange } } => {
  const place = path === undefined ? undefined : find(path);
  if (place === undefined) return {};
  return { place: { file: place.source.uri, range: jsonRange(place.source, place.span) } };
};
