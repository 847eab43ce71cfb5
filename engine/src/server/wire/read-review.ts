/** Decodes the body of a review request, in the domain of the request. */
import type { DecodedValue } from '../../formats/go-struct/decode.ts';
import type { StructShape } from '../../formats/go-struct/shape.ts';
import type { ApiError } from '../../model/api-error.ts';
import { selfSubjectReviewShape, tokenReviewShapes } from '../../resources/reviews.ts';
import { protoSchemas } from './protobuf-schema.ts';
import { type BodyRequest, type BodyScheme, readObject } from './read-object.ts';

/** The request for a review; the group is that of the path: `authentication.k8s.io`. */
export interface ReviewRequest extends BodyRequest {
  readonly kind: ReviewKind;
}

export type ReviewKind = 'SelfSubjectReview' | 'TokenReview';

export type ReviewReading =
  | {
      readonly kind: 'review';
      readonly fields: ReadonlyMap<string, DecodedValue>;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'error'; readonly error: ApiError; readonly warnings: readonly string[] };

const shapes: ReadonlyMap<string, StructShape> = new Map([
  ['SelfSubjectReview', selfSubjectReviewShape],
  ['TokenReview', tokenReviewShapes.v1],
]);

/** Kinds of the group that kube-apiserver has, with their versions. */
const knownKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['SelfSubjectReview', ['v1', 'v1beta1', 'v1alpha1']],
  ['TokenReview', ['v1', 'v1beta1']],
  ['TokenRequest', ['v1']],
]);

/** Decodes and validates a review. */
export const readReview = (request: ReviewRequest): ReviewReading => {
  const body = readObject(request, schemeOf(request.group));
  return body.kind === 'error' ? body : { ...body, kind: 'review' };
};

const schemeOf = (requestGroup: string): BodyScheme => ({
  packageName: 'authentication',
  lookUp({ group, version, kind }) {
    if (group !== requestGroup || knownKinds.get(kind)?.includes(version) !== true)
      return 'unknown';
    const shape = shapes.get(kind);
    const schema = protoSchemas.get(kind);
    return {
      ...(shape === undefined ? {} : { shape }),
      ...(schema === undefined ? {} : { schema }),
    };
  },
});
