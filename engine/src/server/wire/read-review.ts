/** Decodes the body of a review request, in the domain of the request. */
import type { StructShape } from '../../formats/go-struct/shape.ts';
import type { ObjectType } from '../../formats/go-struct/type-meta.ts';
import { selfSubjectReviewShape, tokenReviewShapes } from '../../resources/reviews.ts';
import { protoSchemas } from './protobuf-schema.ts';
import { type BodyRequest, type BodyScheme, type ObjectBody, readObject } from './read-object.ts';

/** The request for a review; the group is that of the path: `authentication.k8s.io`. */
export interface ReviewRequest extends BodyRequest {
  readonly kind: ReviewKind;
}

export type ReviewKind = 'SelfSubjectReview' | 'TokenReview';

const shapes: ReadonlyMap<string, StructShape> = new Map([
  ['SelfSubjectReview', selfSubjectReviewShape],
  ['TokenReview', tokenReviewShapes.v1],
]);

/** Kinds of the group that kube-apiserver has, with their versions. */
const authenticationKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['SelfSubjectReview', ['v1', 'v1beta1', 'v1alpha1']],
  ['TokenReview', ['v1', 'v1beta1']],
  ['TokenRequest', ['v1']],
]);

export const isAuthenticationKind = ({ version, kind }: ObjectType): boolean =>
  authenticationKinds.get(kind)?.includes(version) === true;

/** Decodes and validates a review. */
export const readReview = (request: ReviewRequest): ObjectBody =>
  readObject(request, schemeOf(request.group));

const schemeOf = (requestGroup: string): BodyScheme => ({
  packageName: 'authentication',
  lookUp(type) {
    if (type.group !== requestGroup || !isAuthenticationKind(type)) return 'unknown';
    return { shape: shapes.get(type.kind), schema: protoSchemas.get(type.kind) };
  },
});
