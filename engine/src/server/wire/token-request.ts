/** TokenRequests: the kinds that a body may contain, and the response. */

import type { BoundObject } from '../../authenticators/service-account-token/token-request.ts';
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
import { isAuthenticationKind } from './read-review.ts';
import { type ReviewTypeMeta, rfc3339 } from './write-review.ts';

const coreKinds = new Set(kinds.filter(({ group }) => group === '').map(({ kind }) => kind));

/** Returns a scheme for TokenRequests of a group; other kinds are known by name only. */
export const tokenRequestScheme = (requestGroup: string): BodyScheme => ({
  packageName: 'authentication',
  lookUp(type) {
    const { group, version, kind } = type;
    if (group === '' && version === 'v1' && coreKinds.has(kind)) return {};
    if (group !== requestGroup || !isAuthenticationKind(type)) return 'unknown';
    return kind === 'TokenRequest'
      ? { shape: tokenRequestShape, schema: protoSchemas.get(kind) }
      : {};
  },
});

export interface TokenRequestParts {
  readonly metadata: OutputMap;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundTo: BoundObject | undefined;
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

const boundObject = (target: BoundObject | undefined): OutputValue =>
  target === undefined
    ? null
    : outputMap(
        ['kind', omitEmpty(target.kind)],
        ['apiVersion', omitEmpty(target.apiVersion)],
        ['name', omitEmpty(target.name)],
        ['uid', omitEmpty(target.uid)],
      );
