/** The SelfSubjectReview endpoint: returns the user of the caller. */
import { firstHeader } from '../../model/header-list.ts';
import { releaseName } from '../../model/release.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { authenticationGroups, betaLife, betaVersion } from '../api-groups.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HandlerResponse } from '../http/handler-response.ts';
import { routerAccepts } from '../wire/media-type.ts';
import { selfSubjectReviewObject } from '../wire/write-review.ts';
import { type ReviewType, reviewBytes, reviewFields, reviewResponse } from './create-review.ts';

/** The group and version in the path. */
type ReviewPath = Pick<ReviewType, 'group' | 'version'>;

export interface SelfSubjectReviewContext {
  readonly user: UserInfo;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Receives audit annotations of the request. */
  recordAnnotations(annotations: ReadonlyMap<string, string>): void;
}

/**
 * Creates the review. All content of the request object is ignored, including its name and status.
 */
export const createSelfSubjectReview = async (
  exchange: Exchange,
  path: ReviewPath,
  context: SelfSubjectReviewContext,
): Promise<HandlerResponse> => {
  const { group, version } = path;
  const { user, now } = context;
  const kind = 'SelfSubjectReview';
  if (version === betaVersion) reportDeprecation(exchange, path, context);
  const body = await reviewBytes(exchange);
  reviewFields(exchange, body, { group, version, kind });
  const typeMeta = { kind, apiVersion: `${group}/${version}` };
  const object = selfSubjectReviewObject(typeMeta, { createdAt: now, user });
  return reviewResponse(exchange, object, typeMeta);
};

/**
 * Adds the deprecation warning, unless kube-apiserver's router would have rejected the response
 * format before.
 */
const reportDeprecation = (
  exchange: Exchange,
  { group, version }: ReviewPath,
  { recordAnnotations }: SelfSubjectReviewContext,
): void => {
  if (!routerAccepts(firstHeader(exchange.headers, 'accept'))) return;
  const deprecated = releaseName(betaLife.deprecated);
  const removed = releaseName(betaLife.removed);
  exchange.warnings.push(
    `${group}/${version} SelfSubjectReview is deprecated in v${deprecated}+, unavailable in v${removed}+`,
  );
  const domain = authenticationGroups.get(group) ?? '';
  recordAnnotations(
    new Map([
      [`${domain}/deprecated`, 'true'],
      [`${domain}/removed-release`, removed],
    ]),
  );
};
