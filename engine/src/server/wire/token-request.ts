/** TokenRequests: the kinds that a body may contain, and the response. */

import {
  type OutputMap,
  type OutputValue,
  omitEmpty,
  outputMap,
} from '../../formats/output-value.ts';
import { kinds } from '../../resources/kinds.ts';
import { tokenRequestShape } from '../../resources/reviews.ts';
import { protoSchemas } from './protobuf-schema.ts';
import type { BodyScheme } from './read-object.ts';
import { type ReviewTypeMeta, rfc3339 } from './write-review.ts';

/** Kinds of the group that kube-apiserver has, with their versions. */
const otherReviews: ReadonlyMap<string, readonly string[]> = new Map([
  ['SelfSubjectReview', ['v1', 'v1beta1', 'v1alpha1']],
  ['TokenReview', ['v1', 'v1beta1']],
]);
const coreKinds = new Set(kinds.filter(({ group }) => group === '').map(({ kind }) => kind));

/** Returns a scheme for TokenRequests of a group; other kinds are known by name only. */
export const tokenRequestScheme = (requestGroup: string): BodyScheme => ({
  packageName: 'authentication',
  lookUp({ group, version, kind }) {
    if (group === requestGroup && kind === 'TokenRequest' && version === 'v1') {
      const schema = protoSchemas.get(kind);
      return { shape: tokenRequestShape, ...(schema === undefined ? {} : { schema }) };
    }
    const known =
      (group === requestGroup && otherReviews.get(kind)?.includes(version) === true) ||
      (group === '' && version === 'v1' && coreKinds.has(kind));
    return known ? {} : 'unknown';
  },
});

export interface TokenRequestParts {
  readonly metadata: OutputMap;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundTo:
    | {
        readonly kind: string;
        readonly apiVersion: string;
        readonly name: string;
        readonly uid: string;
      }
    | undefined;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export const tokenRequestObject = (typeMeta: ReviewTypeMeta, parts: TokenRequestParts): OutputMap =>
  outputMap(
    ['kind', typeMeta.kind],
    ['apiVersion', typeMeta.apiVersion],
    ['metadata', parts.metadata],
    [
      'spec',
      outputMap(
        ['audiences', parts.audiences.length === 0 ? null : parts.audiences],
        ['expirationSeconds', parts.expirationSeconds],
        ['boundObjectRef', boundObject(parts.boundTo)],
      ),
    ],
    [
      'status',
      outputMap(['token', parts.token], ['expirationTimestamp', rfc3339(parts.expiresAt)]),
    ],
  );

const boundObject = (target: TokenRequestParts['boundTo']): OutputValue =>
  target === undefined
    ? null
    : outputMap(
        ['kind', omitEmpty(target.kind)],
        ['apiVersion', omitEmpty(target.apiVersion)],
        ['name', omitEmpty(target.name)],
        ['uid', omitEmpty(target.uid)],
      );
