/**
 * The answer of a webhook -> what it says of the token, or why it says nothing. The text decides
 * whether it is JSON or YAML, whatever the content type says; what is no TokenReview of the version
 * that was sent is refused.
 */

import {
  decodeTypedObject,
  decodeTypeMeta,
  type TypedFields,
  structField,
  stringField,
  stringItems,
} from '../../documents/kubeconfig/typed-object.ts';
import type { TypedStruct } from '../../documents/kubeconfig/typed-shape.ts';
import { type PlainLimits, type PlainValue, readPlain } from '../../documents/yaml/plain-value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { goMaxJsonDepth } from '../../formats/json-with-positions.ts';
import { mediaTypeOf } from '../../formats/media-type.ts';
import { authenticationGroup, kubernetesDomain } from '../../model/api-domain.ts';
import { differs, type Mode } from '../../model/differences.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { versionOfKind } from './known-kinds.ts';
import type { WebhookTokenNode, WebhookVersion } from './node.ts';
import { failureOfResponse, type ReviewFailure } from './review-failure.ts';
import { otherShape, statusShape, tokenReviewShape } from './review-shape.ts';

export type ReviewReply = { readonly kind: 'review'; readonly review: Review } | ReviewFailure;

/** The status of a review. */
export interface Review {
  readonly authenticated: boolean;
  readonly user: UserInfo;
  readonly audiences: readonly string[];
  /** Empty where it has none. */
  readonly error: string;
}

/** Levels of nesting of an answer; its values, counted by commas; its bytes where it is no JSON. */
const maxReplyDepth = 64;
const maxReplyValues = 50_000;
const maxYamlReplyBytes = 64 * 1024;

const productLimits: PlainLimits = {
  depth: maxReplyDepth,
  commas: maxReplyValues,
  yamlBytes: maxYamlReplyBytes,
};

export const readReply = (
  response: HttpResponse,
  node: Pick<WebhookTokenNode, 'apiDomain' | 'version'>,
  mode: Mode,
): ReviewReply => {
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

const failed = (message: string): ReviewReply => ({ kind: 'failure', message, isRetryable: false });

const readObject = (
  value: PlainValue,
  { apiDomain, version }: Pick<WebhookTokenNode, 'apiDomain' | 'version'>,
): ReviewReply => {
  const stated = decodeTypeMeta(value);
  if (stated.kind === 'error') return failed(stated.message);
  const sent = { group: authenticationGroup(apiDomain), version };
  const objectType = typeOf(stated, sent);
  const problem = kindProblem(objectType, sent);
  // The real server reads an object as what it says it is, before it looks whether that was asked for.
  const decoded = decodeTypedObject(value, shapeOf(objectType, version));
  if (problem?.isKnownKind === false) return failed(problem.message);
  if (decoded.kind === 'error') return failed(decoded.message);
  if (problem !== undefined) return failed(problem.message);
  return { kind: 'review', review: reviewOf(structField(decoded.fields, 'status')) };
};

/** What the webhook was asked in. */
interface SentReview {
  readonly group: string;
  readonly version: WebhookVersion;
}

const kubernetesGroup = authenticationGroup(kubernetesDomain);

interface ObjectType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What is not stated is what was sent. */
const typeOf = (
  { apiVersion, objectKind }: { readonly apiVersion: string; readonly objectKind: string },
  sent: SentReview,
): ObjectType => {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const version = slash < 0 ? apiVersion : apiVersion.slice(slash + 1);
  const kind = objectKind === '' ? 'TokenReview' : objectKind;
  return version === '' && (group === '' || group === sent.group)
    ? { ...sent, kind }
    : { group, version, kind };
};

interface KindProblem {
  readonly message: string;
  readonly isKnownKind: boolean;
}

/** `undefined` for a review of the version that was sent. */
const kindProblem = (
  { group, version, kind }: ObjectType,
  sent: SentReview,
): KindProblem | undefined => {
  const isSameGroup = group === sent.group;
  if (kind === 'TokenReview' && isSameGroup && version === sent.version) return undefined;
  if (kind === 'TokenReview' && !isSameGroup && sent.group !== kubernetesGroup) {
    const reply = goQuote(group === '' ? version : `${group}/${version}`);
    const request = goQuote(`${sent.group}/${sent.version}`);
    return {
      isKnownKind: false,
      message: `webhook: refused: the reply has apiVersion ${reply}, the request had ${request}`,
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
  const groupVersion = group === '' ? version : `${group}/${version}`;
  return {
    isKnownKind: false,
    message: `no kind ${goQuote(kind)} is registered for version ${goQuote(groupVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  };
};

const shapeOf = ({ kind, version }: ObjectType, expectedVersion: WebhookVersion): TypedStruct => {
  if (kind === 'Status') return statusShape;
  if (kind !== 'TokenReview') return otherShape;
  return tokenReviewShape(version === 'v1' || version === 'v1beta1' ? version : expectedVersion);
};

const reviewOf = (status: TypedFields): Review => {
  const user = structField(status, 'user');
  return {
    authenticated: status.get('authenticated') === true,
    audiences: stringItems(status.get('audiences')),
    error: stringField(status, 'error'),
    user: {
      username: stringField(user, 'username'),
      uid: stringField(user, 'uid'),
      groups: stringItems(user.get('groups')),
      extra: new Map(
        Array.from(structField(user, 'extra'), ([key, values]) => [key, stringsOf(values)]),
      ),
    },
  };
};

const stringsOf = (values: unknown): readonly string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
