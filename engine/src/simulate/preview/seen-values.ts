/** Computes the values of all parts of one expression for a sample, for hovers. */
import { linkMapping, readableClaims } from '../../authenticators/jwt/link-mapping.ts';
import { planExpression } from '../../cel/evaluate/plan.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { Probe } from '../../cel/evaluate/program.ts';
import { toJsonData } from '../../cel/values/json-data.ts';
import type { JsonRecord } from '../../cel/values/value.ts';
import type { Compilation } from '../../compile/compile.ts';
import { draftCredentialIdKey, entryNode } from '../../compile/entry-node.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { userBeforeRules } from './preview-parts.ts';

export type SeenValue =
  /** A value as JSON data. */
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly message: string };

/**
 * Returns values by the id of the node in the expression's checked tree; a part that did not run
 * has none, a part that ran several times has its last value. `path` is the path of the text,
 * `jwt[0].claimMappings.username.expression`. Returns `undefined` if nothing can be run: the
 * expression has an error, or the user that it reads cannot be built.
 */
export const seenValues = (
  compilation: Compilation,
  path: string,
  claims: ClaimSet,
): ReadonlyMap<number, SeenValue> | undefined => {
  const compiled = compilation.expressions.get(path)?.compilation;
  if (compiled?.program === undefined) return undefined;
  const variable = variableOf(compilation, path, claims);
  if (variable === undefined) return undefined;
  const seen = new Map<number, SeenValue>();
  const probe: Probe = {
    observe(nodeId, value, error) {
      seen.set(
        nodeId,
        value === undefined
          ? { kind: 'error', message: error ?? '' }
          : { kind: 'value', value: toJsonData(value) },
      );
    },
  };
  const planned = planExpression(compiled.checked, { probe });
  if (!('program' in planned)) return undefined;
  planned.program.evaluate(variable);
  return seen;
};

const variableOf = (
  compilation: Compilation,
  path: string,
  claims: ClaimSet,
): JsonRecord | undefined => {
  const [, index, field = ''] = /^jwt\[(\d+)\]\.(\w+)/.exec(path) ?? [];
  const entry = entryNode(compilation, Number(index));
  if (entry === undefined) return undefined;
  const mapping = linkMapping(entry.node, planSerialized);
  if (field !== 'userValidationRules') return readableClaims(claims);
  const options = { credentialIdKey: draftCredentialIdKey(compilation) };
  const user = userBeforeRules(mapping, claims, options);
  return user === undefined ? undefined : mapping.userVariable(user);
};
