/** Groups the steps of a trace by authenticator and by part of the authenticator. */
import type { TraceStep } from '../../model/trace.ts';

export interface TracedPart {
  readonly path: string;
  /** The field, such as `claimMappings.username`; empty for checks of the whole authenticator. */
  readonly field: string;
  readonly steps: readonly TraceStep[];
  /** The worst outcome of the steps; a pass or failure says more than a value. */
  readonly outcome: TraceStep['outcome'];
}

/** Returns the parts by authenticator, in the order of their first steps. */
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

/** Returns the authenticator of a path: `jwt[0]` of `jwt[0].claimMappings.username`. */
const ownerOf = (path: string): string => /^[A-Za-z-]+(?:\[\d+\])?/.exec(path)?.[0] ?? path;
