/** Formats a decision in YAML as the object that a client of kube-apiserver would receive. */
import { type OutputMap, omitEmpty, outputMap, sortedMap } from '../../formats/output-value.ts';
import { writeYaml } from '../../formats/write-yaml.ts';
import { authenticationGroup } from '../../model/api-domain.ts';
import { type ApiError, unauthorized } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { UserInfo } from '../../model/user-info.ts';

export interface ReviewOptions {
  /** The API domain of the configuration file: `k8s.io`. */
  readonly domain: string;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

/** Returns a SelfSubjectReview, or a Status with code 401. */
export const decisionYaml = (decision: Decision, options: ReviewOptions): string =>
  decision.kind === 'accepted' ? userYaml(decision.user, options) : refusalYaml(unauthorized);

/** Returns the `SelfSubjectReview` of an identity in YAML. `now` is in milliseconds since 1970. */
export const userYaml = (user: UserInfo, { domain, now }: ReviewOptions): string => {
  const createdAt = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return written(
    outputMap(
      ['apiVersion', `${authenticationGroup(domain)}/v1`],
      ['kind', 'SelfSubjectReview'],
      ['metadata', outputMap(['creationTimestamp', createdAt])],
      ['status', outputMap(['userInfo', userObject(user)])],
    ),
  );
};

/** Returns the `Status` that a client would receive, in YAML. */
export const refusalYaml = ({ code, reason, message }: Omit<ApiError, 'details'>): string =>
  written(
    outputMap(
      ['apiVersion', 'v1'],
      ['code', code],
      ['kind', 'Status'],
      ['message', message],
      ['metadata', outputMap()],
      ['reason', reason],
      ['status', 'Failure'],
    ),
  );

const written = (object: OutputMap): string => `${unchecked}${writeYaml(object)}`;

const unchecked = '# From claims alone: signature not checked, audience and times not enforced.\n';

const userObject = ({ username, uid, groups, extra }: UserInfo): OutputMap =>
  outputMap(
    ['username', omitEmpty(username)],
    ['uid', omitEmpty(uid)],
    ['groups', omitEmpty(groups)],
    ['extra', omitEmpty(sortedMap(extra))],
  );
