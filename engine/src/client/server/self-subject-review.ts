/**
 * Asks a server who the caller is, with a SelfSubjectReview. Like kubectl, it falls back to the beta
 * and alpha versions of old servers; in addition it finds servers of another API domain.
 */
import { apiDomains, authenticationGroup, kubernetesDomain } from '../../model/api-domain.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { HttpPeer, HttpResponse } from '../../ports/http-client.ts';
import { dataOf, memberOf, warningsOf } from './response-data.ts';

export interface ReviewOptions {
  readonly peer: HttpPeer;
  readonly basePath: string;
  /** The domain of the API group; empty to find it. */
  readonly domain: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SelfReview {
  readonly apiVersion: string;
  /** The text that the server sent; `undefined` if it sent none. */
  readonly creationTimestamp: string | undefined;
  readonly user: UserInfo;
}

export type SelfReviewOutcome =
  | { readonly kind: 'review'; readonly review: SelfReview; readonly warnings: readonly string[] }
  /** The server refused the request. The message is kubectl's. */
  | { readonly kind: 'refused'; readonly message: string; readonly warnings: readonly string[] }
  /** The response is not one of an API server. */
  | { readonly kind: 'unusable'; readonly message: string; readonly warnings: readonly string[] };

/** The versions of kubectl, in its order. */
const versions = ['v1', 'v1beta1', 'v1alpha1'] as const;

const maxResponseBytes = 1024 * 1024;

/** Sends the review; rejects only if the server cannot be reached. */
export const requestSelfReview = async (options: ReviewOptions): Promise<SelfReviewOutcome> => {
  const first = await reviewInDomain(options.domain || kubernetesDomain, options);
  if (first.response.status !== notFound || options.domain !== '') return outcomeOf(first);
  const other = await findDomain(options);
  return outcomeOf(other === undefined ? first : await reviewInDomain(other, options));
};

interface Exchange {
  readonly apiVersion: string;
  readonly response: HttpResponse;
}

const created = 201;
const notFound = 404;

/** Tries the versions until the server has one. */
const reviewInDomain = async (domain: string, options: ReviewOptions): Promise<Exchange> => {
  const group = authenticationGroup(domain);
  let last: Exchange | undefined;
  for (const version of versions) {
    const apiVersion = `${group}/${version}`;
    const response = await options.peer.send({
      method: 'POST',
      path: `${options.basePath}/apis/${apiVersion}/selfsubjectreviews`,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Accept', value: 'application/json' },
      ],
      body: JSON.stringify({ kind: 'SelfSubjectReview', apiVersion }),
      timeoutMs: options.timeoutMs,
      maxBytes: maxResponseBytes,
      signal: options.signal,
    });
    last = { apiVersion, response };
    if (response.status !== notFound) break;
  }
  if (last === undefined) throw new Error('unreachable: there is at least one version');
  return last;
};

/** Returns another domain whose authentication API the server has. */
const findDomain = async ({
  peer,
  basePath,
  timeoutMs,
  signal,
}: ReviewOptions): Promise<string | undefined> => {
  const response = await peer.send({
    method: 'GET',
    path: `${basePath}/apis`,
    headers: [{ name: 'Accept', value: 'application/json' }],
    timeoutMs,
    maxBytes: maxResponseBytes,
    signal,
  });
  const groups = memberOf(dataOf(response), 'groups');
  const names = new Set(
    Array.isArray(groups) ? groups.map((group) => memberOf(group, 'name')) : [],
  );
  return apiDomains.find(
    (domain) => domain !== kubernetesDomain && names.has(authenticationGroup(domain)),
  );
};

const outcomeOf = ({ apiVersion, response }: Exchange): SelfReviewOutcome => {
  const warnings = warningsOf(response);
  const data = dataOf(response);
  if (response.status !== created)
    return { kind: 'refused', message: refusalOf(response, data), warnings };
  const user = userOf(memberOf(memberOf(data, 'status'), 'userInfo'));
  if (user === undefined) {
    const message = 'the server did not return a SelfSubjectReview: is it a Kubernetes API server?';
    return { kind: 'unusable', message, warnings };
  }
  const timestamp = memberOf(memberOf(data, 'metadata'), 'creationTimestamp');
  return {
    kind: 'review',
    review: {
      apiVersion,
      creationTimestamp: typeof timestamp === 'string' ? timestamp : undefined,
      user,
    },
    warnings,
  };
};

/** Returns kubectl's message for the status. */
const refusalOf = ({ status, statusText }: HttpResponse, data: unknown): string => {
  if (status === 404) return 'the selfsubjectreviews API is not enabled in the cluster';
  const reason = memberOf(data, 'reason');
  const message = memberOf(data, 'message');
  const isStatus = memberOf(data, 'kind') === 'Status' && typeof message === 'string';
  if (status === 403) {
    const forbidden =
      'the selfsubjectreviews API is not enabled in the cluster or you do not have permission to call it';
    return isStatus && message !== '' ? `${forbidden}: ${message}` : forbidden;
  }
  if (status === 401)
    return `You must be logged in to the server (${isStatus && message !== '' ? message : 'Unauthorized'})`;
  if (isStatus && message !== '')
    return `Error from server${typeof reason === 'string' && reason !== '' ? ` (${reason})` : ''}: ${message}`;
  return `the server returned ${statusText}`;
};

/** Returns `undefined` if a member has another type. */
const userOf = (value: unknown): UserInfo | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const username = memberOf(value, 'username') ?? '';
  const uid = memberOf(value, 'uid') ?? '';
  const groups = textsOf(memberOf(value, 'groups') ?? []);
  const extra = memberOf(value, 'extra') ?? {};
  if (typeof username !== 'string' || typeof uid !== 'string') return undefined;
  if (groups === undefined || typeof extra !== 'object' || extra === null) return undefined;
  const values = new Map<string, readonly string[]>();
  for (const [key, list] of Object.entries(extra)) {
    const texts = textsOf(list ?? []);
    if (texts === undefined) return undefined;
    values.set(key, texts);
  }
  return { username, uid, groups, extra: values };
};

const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
