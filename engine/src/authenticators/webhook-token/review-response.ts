/**
 * Parses the response of a webhook to a review or a failure. The content, not the content type,
 * decides whether it is JSON or YAML. Anything but a TokenReview of the version that was sent is a
 * failure.
 */

import { type PlainLimits, readPlain } from '../../documents/yaml/plain-value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject, type Fields } from '../../formats/go-struct/decode.ts';
import { mapField, stringField, stringListField } from '../../formats/go-struct/fields.ts';
import type { StructShape } from '../../formats/go-struct/shape.ts';
import {
  groupVersion,
  notRegistered,
  type ObjectType,
  readTypeMeta,
  statedType,
} from '../../formats/go-struct/type-meta.ts';
import { goMaxJsonDepth, type PlainValue } from '../../formats/json-with-positions.ts';
import { mediaTypeOf } from '../../formats/media-type.ts';
import { authenticationGroup, kubernetesDomain } from '../../model/api-domain.ts';
import { differs, type Mode } from '../../model/differences.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { tokenReviewShapes, userOfReview } from '../../resources/reviews.ts';
import { versionOfKind } from './known-kinds.ts';
import type { WebhookTokenNode, WebhookVersion } from './node.ts';
import { failureOfResponse, type ReviewFailure } from './review-failure.ts';
import { otherShape, statusShape } from './review-shape.ts';

export type ReviewResponse = { readonly kind: 'review'; readonly review: Review } | ReviewFailure;

/** The status of a TokenReview. */
export interface Review {
  readonly authenticated: boolean;
  readonly user: UserInfo;
  readonly audiences: readonly string[];
  /** Empty if there is none. */
  readonly error: string;
}

/**
 * Limits of a response: nesting depth, number of values (counted by commas), and bytes if it is not
 * JSON.
 */
const maxResponseDepth = 64;
const maxResponseValues = 50_000;
const maxYamlResponseBytes = 64 * 1024;

const productLimits: PlainLimits = {
  depth: maxResponseDepth,
  commas: maxResponseValues,
  yamlBytes: maxYamlResponseBytes,
};

export const readReviewResponse = (
  response: HttpResponse,
  node: Pick<WebhookTokenNode, 'apiDomain' | 'version'>,
  mode: Mode,
): ReviewResponse => {
  const contentType = response.headers.get('content-type') || 'application/json';
  if (mediaTypeOf(contentType) === undefined) {
    const message = 'Internal error occurred: mime: invalid media parameter';
    return { kind: 'failure', message, isRetryable: true };
  }
  const limits = differs(mode, 'bounded-bodies') ? productLimits : { depth: goMaxJsonDepth };
  if (response.status < 200 || response.status > 206) return failureOfResponse(response, limits);
  if (response.body.length === 0) {
    return failed(
      `0-length response with status code: ${response.status} and content type: ${contentType}`,
    );
  }
  const plain = readPlain(response.body, limits);
  return plain.kind === 'error' ? failed(plain.message) : readObject(plain.value, node);
};

const failed = (message: string): ReviewResponse => ({
  kind: 'failure',
  message,
  isRetryable: false,
});

const readObject = (
  value: PlainValue,
  { apiDomain, version }: Pick<WebhookTokenNode, 'apiDomain' | 'version'>,
): ReviewResponse => {
  const stated = readTypeMeta(value);
  if (stated.kind === 'error') return failed(stated.message);
  const sent = { group: authenticationGroup(apiDomain), version };
  const objectType = statedType(stated, { ...sent, kind: 'TokenReview' });
  const problem = kindProblem(objectType, sent);
  // kube-apiserver decodes the object as the type it claims to be before it checks whether that
  // type was expected.
  const decoded = decodeObject(value, shapeOf(objectType, version));
  if (problem?.isKnownKind === false) return failed(problem.message);
  if (decoded.kind === 'error') return failed(decoded.message);
  if (problem !== undefined) return failed(problem.message);
  return { kind: 'review', review: reviewOf(mapField(decoded.fields, 'status')) };
};

/** The group and version that were sent. */
interface SentReview {
  readonly group: string;
  readonly version: WebhookVersion;
}

const kubernetesGroup = authenticationGroup(kubernetesDomain);

interface KindProblem {
  readonly message: string;
  readonly isKnownKind: boolean;
}

/**
 * Returns the problem of an unexpected type; `undefined` for a TokenReview of the version that was
 * sent.
 */
const kindProblem = (type: ObjectType, sent: SentReview): KindProblem | undefined => {
  const { group, version, kind } = type;
  const isSameGroup = group === sent.group;
  if (kind === 'TokenReview' && isSameGroup && version === sent.version) return undefined;
  if (kind === 'TokenReview' && !isSameGroup && sent.group !== kubernetesGroup) {
    const received = goQuote(groupVersion(type));
    const request = goQuote(groupVersion(sent));
    return {
      isKnownKind: false,
      message: `webhook: refused: the reply has apiVersion ${received}, the request had ${request}`,
    };
  }
  const realGroup = isSameGroup ? kubernetesGroup : group;
  const knownVersion = versionOfKind({ group: realGroup, version, kind });
  if (knownVersion !== undefined) {
    return {
      isKnownKind: true,
      message: `converting (${knownVersion}.${kind}) to (${sent.version}.TokenReview): unknown conversion`,
    };
  }
  return { isKnownKind: false, message: notRegistered(kind, groupVersion(type)) };
};

const shapeOf = ({ kind, version }: ObjectType, expectedVersion: WebhookVersion): StructShape => {
  if (kind === 'Status') return statusShape;
  if (kind !== 'TokenReview') return otherShape;
  return tokenReviewShapes[version === 'v1' || version === 'v1beta1' ? version : expectedVersion];
};

const reviewOf = (status: Fields): Review => ({
  authenticated: status.get('authenticated') === true,
  audiences: stringListField(status, 'audiences'),
  error: stringField(status, 'error'),
  user: userOfReview(status),
});
