/** Formats the answer of whoami as JSON or YAML; see docs/schema/whoami.v1.json. */
import type { OutputValue } from '../formats/output-value.ts';
import { writeYaml } from '../formats/write-yaml.ts';
import type { WhoamiAnswer } from '../simulate/whoami/whoami-answer.ts';
import { placed, stepData, userData } from './decision-data.ts';
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
        user: userData(decision.user),
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

/** Converts JSON data for the YAML writer, which has no null. */
const outputOf = (data: unknown): OutputValue => {
  if (Array.isArray(data)) return data.map(outputOf);
  if (typeof data === 'object' && data !== null)
    return new Map(Object.entries(data).map(([name, value]) => [name, outputOf(value)]));
  return typeof data === 'number' || typeof data === 'boolean' ? data : String(data);
};
