/** Names the fields of the two configurations that make the difference for given claims. */
import type { Origins } from '../../compile/graph.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { AccessPart } from './access-part.ts';
import type { AccessCause, AccessChangeKind, AccessPlace } from './access-result.ts';
import { type AuthenticatorSide, type ComparedIssuer, partsMissingIn } from './compared-issuer.ts';
import type { ConditionPlace } from './condition.ts';
import { isSameUser } from './decide-claims.ts';

/** A field without its position. */
type Cause = Omit<AccessCause, 'span'>;

/** Claims with the decisions of both graphs. */
interface DecidedClaims {
  readonly claims: JsonObject;
  readonly before: UserInfo | null;
  readonly after: UserInfo | null;
}

/** Returns the fields that make the difference. */
export const causesOf = (
  kind: AccessChangeKind,
  { before, after, issuer }: ComparedIssuer,
  decided: DecidedClaims,
): readonly Cause[] => {
  if (kind === 'changed') return changedMappings(after, decided);
  const [from, to] = kind === 'gained' ? [before, after] : [after, before];
  if (to === undefined) return [];
  if (from === undefined) {
    const [part] = to.parts;
    return [{ side: part?.side ?? 'after', at: `${to.node.id}.issuer`, rule: issuer }];
  }
  const rejecting = partsMissingIn(from, to).filter((part) => !part.test({ ...decided.claims }));
  return withoutRepetition(rejecting.map(causeOfPart));
};

/** Adds the position of a field; an expression is more precise than its rule. */
export const placeOfCondition = (
  { side, at }: ConditionPlace,
  origins: Readonly<Record<ConditionPlace['side'], Origins | undefined>>,
): AccessPlace => {
  const known = origins[side];
  const fields = ['.expression', '.valueExpression', '.claim', ''];
  const span = fields.map((field) => known?.get(at + field)).find((found) => found !== undefined);
  return { side, at, span };
};

const causeOfPart = ({ side, at, text }: AccessPart): Cause => ({ side, at, rule: text });

const changedMappings = (
  after: AuthenticatorSide | undefined,
  { before: old, after: changed }: DecidedClaims,
): readonly Cause[] => {
  if (after === undefined || old === null || changed === null) return [];
  const fields = (['username', 'uid', 'groups', 'extra'] as const).filter(
    (field) => !isSameUser({ ...old, [field]: changed[field] }, old),
  );
  const places = fields.map((field) => `${after.node.id}.claimMappings.${field}`);
  const parts = after.parts.filter(({ at }) => places.some((place) => at.startsWith(place)));
  const causes = parts.map(causeOfPart);
  return causes.length > 0
    ? causes
    : places.map((at) => ({ side: 'after', at, rule: at.slice(at.lastIndexOf('.') + 1) }));
};

const withoutRepetition = (causes: readonly Cause[]): readonly Cause[] => [
  ...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values(),
];
