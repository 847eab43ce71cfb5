/** Formats the answer of whoami as JSON or YAML; see docs/schema/whoami.v1.json. */
import { type JsonRange, jsonRange } from '../diagnostics/json.ts';
import type { OutputValue } from '../formats/output-value.ts';
import { writeYaml } from '../formats/write-yaml.ts';
import type { TraceStep } from '../model/trace.ts';
import type { WhoamiAnswer } from '../simulate/whoami/whoami-answer.ts';
import type { PlaceFinder } from './trace-text.ts';

/** Incremented when the format changes incompatibly. */
const whoamiVersion = 1;

interface DataOptions extends PlaceFinder {
  readonly graphHash: string;
  /** The result of `--as`. */
  readonly impersonation: object | undefined;
}

export const whoamiJson = (answer: WhoamiAnswer, options: DataOptions): string =>
  `${JSON.stringify(whoamiData(answer, options), undefined, 2)}\n`;

export const whoamiYaml = (answer: WhoamiAnswer, options: DataOptions): string => {
  // Converted through JSON, which drops undefined members.
  const data = outputOf(JSON.parse(JSON.stringify(whoamiData(answer, options))));
  return writeYaml(data instanceof Map ? data : new Map());
};

const whoamiData = (
  { decision, steps, signature, unenforced = [] }: WhoamiAnswer,
  { graphHash, find, impersonation }: DataOptions,
): object => ({
  version: whoamiVersion,
  decision: decision.kind,
  graphHash,
  signature,
  ...(decision.kind === 'noOpinion' ? {} : { by: decision.by }),
  ...(decision.kind === 'accepted'
    ? {
        user: { ...decision.user, extra: Object.fromEntries(decision.user.extra) },
        ...(decision.audiences.length === 0 ? {} : { audiences: decision.audiences }),
      }
    : {}),
  ...(decision.kind === 'rejected'
    ? { reason: { ...decision.reason, ...placed(decision.reason.at, find) } }
    : {}),
  ...(unenforced.length === 0 ? {} : { unenforced }),
  ...(impersonation === undefined ? {} : { impersonation }),
  ...(steps.length === 0 ? {} : { trace: steps.map((step) => stepData(step, find)) }),
});

const stepData = (step: TraceStep, find: PlaceFinder['find']): object => ({
  ...step,
  ...placed(step.at, find),
});

const placed = (
  path: string | undefined,
  find: PlaceFinder['find'],
): { readonly place?: { readonly file: string; readonly range: JsonRange } } => {
  const place = path === undefined ? undefined : find(path);
  if (place === undefined) return {};
  return { place: { file: place.source.uri, range: jsonRange(place.source, place.span) } };
};

/** Converts JSON data for the YAML writer, which has no null. */
const outputOf = (data: unknown): OutputValue => {
  if (Array.isArray(data)) return data.map(outputOf);
  if (typeof data === 'object' && data !== null)
    return new Map(Object.entries(data).map(([name, value]) => [name, outputOf(value)]));
  return typeof data === 'number' || typeof data === 'boolean' ? data : String(data);
};
