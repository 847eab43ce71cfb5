/** Finds a token that a mutant decides differently, or proves that there is none. */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type {
  AccessChangeKind,
  FoundAccessChange,
  UndecidedReason,
} from '../access/access-result.ts';
import type { AccessSide } from '../access/access-side.ts';
import { compareAccess } from '../access/compare-access.ts';

/**
 * A token that the configuration and the mutant decide differently.
 *
 * @example
 * ```ts
 * const slipsIn = ({ kind }: MutantWitness) => kind === 'gained';
 * ```
 */
export interface MutantWitness {
  readonly kind: AccessChangeKind;
  readonly claims: JsonObject;
  /** The user of the configuration; `null` if the token is rejected. */
  readonly before: UserInfo | null;
  /** The user of the mutant. */
  readonly after: UserInfo | null;
}

export type WitnessAnswer =
  | { readonly kind: 'found'; readonly witness: MutantWitness }
  | { readonly kind: 'proved' }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Compares the authenticator that contains the changed field. */
export const witnessOf = (before: AccessSide, after: AccessSide, at: string): WitnessAnswer => {
  const [authenticator = ''] = /^jwt\[\d+\]/.exec(at) ?? [];
  const { verdicts } = compareAccess(only(before, authenticator), only(after, authenticator));
  const { gained, lost, changed } = verdicts;
  // A mapping decides who a token becomes; everything else decides whether it is accepted.
  const all = at.includes('.claimMappings.') ? [changed, gained, lost] : [gained, changed, lost];
  for (const verdict of all) {
    const [change] = verdict.kind === 'found' ? verdict.changes : [];
    const witness = change && witnessOfChange(change);
    if (witness !== undefined) return { kind: 'found', witness };
  }
  if (all.every(({ kind }) => kind === 'proved')) return { kind: 'proved' };
  const undecided = all.flatMap((verdict) => (verdict.kind === 'undecided' ? [verdict] : []));
  const tried = undecided.reduce((sum, verdict) => sum + verdict.tried, 0);
  const [reason] = undecided.flatMap(({ reasons }) => reasons);
  return { kind: 'undecided', reason: undecidedText(tried, reason) };
};

const only = ({ graph, ...rest }: AccessSide, authenticator: string): AccessSide => ({
  ...rest,
  graph: { ...graph, nodes: graph.nodes.filter(({ id }) => id === authenticator) },
});

const witnessOfChange = ({
  kind,
  witness,
  before,
  after,
}: FoundAccessChange): MutantWitness | undefined =>
  'request' in witness ? undefined : { kind, claims: witness.claims, before, after };

const undecidedText = (tried: number, reason: UndecidedReason | undefined): string =>
  `${tried} claim sets were tried without a difference${reason === undefined ? '' : `; no proof: ${reason.construct}`}`;
