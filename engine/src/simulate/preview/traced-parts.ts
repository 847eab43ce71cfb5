/** The steps of a trace by what they are about: each authenticator, and each part of it, once. */
import type { TraceStep } from '../../model/trace.ts';

export interface TracedPart {
  readonly path: string;
  /** `claimMappings.username`; empty for checks of the whole authenticator. */
  readonly field: string;
  readonly steps: readonly TraceStep[];
  /** The worst of them; a judgement tells more than a value. */
  readonly outcome: TraceStep['outcome'];
}

/** By authenticator. Steps on one field stand together, where the first of them was. */
export const tracedParts = (
  steps: readonly TraceStep[],
): ReadonlyMap<string, readonly TracedPart[]> => {
  const owners = new Map<string, GrowingPart[]>();
  for (const step of steps) {
    const owner = ownerOf(step.at);
    const field = step.at.slice(owner.length).replace(/^\./, '');
    const parts = owners.get(owner) ?? [];
    owners.set(owner, parts);
    const known = field === '' ? undefined : parts.find((part) => part.field === field);
    if (known === undefined) parts.push({ path: step.at, field, steps: [step] });
    else known.steps.push(step);
  }
  return new Map(
    Array.from(owners, ([owner, parts]) => [
      owner,
      parts.map((part) => ({ ...part, outcome: outcomeOf(part.steps) })),
    ]),
  );
};

interface GrowingPart {
  readonly path: string;
  readonly field: string;
  readonly steps: TraceStep[];
}

const outcomeOf = (steps: readonly TraceStep[]): TraceStep['outcome'] =>
  (['failed', 'passed', 'value', 'skipped', 'note'] as const).find((outcome) =>
    steps.some((step) => step.outcome === outcome),
  ) ?? 'note';

/** `jwt[0]` of `jwt[0].claimMappings.username`. */
const ownerOf = (path: string): string => /^[A-Za-z]+(?:\[\d+\])?/.exec(path)?.[0] ?? path;
