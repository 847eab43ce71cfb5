/** Strictly parses the review that an API server sends to its authentication webhook. */
import type { JsonNode } from '../../formats/json-with-positions.ts';
import { badRequest } from '../../model/api-error.ts';
import { throwStatus } from '../api/status-error.ts';
import { authenticationGroups } from '../api-groups.ts';

export interface WebhookReview {
  /**
   * The version of the request, such as `authentication.k8s.io/v1beta1`; the response must use the
   * same one.
   */
  readonly apiVersion: string;
  readonly token: string;
  readonly audiences: readonly string[];
}

const versions = ['v1', 'v1beta1'];

/** Reads a TokenReview; throws a `StatusError`. */
export const readWebhookReview = (root: JsonNode): WebhookReview => {
  const kind = stringOf(memberOf(root, 'kind'));
  const apiVersion = stringOf(memberOf(root, 'apiVersion')) ?? '';
  const [group = '', version = ''] = apiVersion.split('/');
  if (kind !== 'TokenReview' || apiVersion !== `${group}/${version}`) throwStatus(notAReview);
  if (!authenticationGroups.has(group) || !versions.includes(version)) throwStatus(notAReview);
  const spec = memberOf(root, 'spec');
  const token = stringOf(memberOf(spec, 'token')) ?? '';
  if (token === '') throwStatus(badRequest('spec.token is missing'));
  const audiences = stringsOf(memberOf(spec, 'audiences'));
  if (audiences === undefined)
    return throwStatus(badRequest('spec.audiences must be a list of strings'));
  return { apiVersion, token, audiences };
};

const notAReview = badRequest(
  'the body must be a TokenReview of authentication.k8s.io/v1 or authentication.k8s.io/v1beta1',
);

/** Returns the last member of a name, as JSON decoders do. */
const memberOf = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === 'object'
    ? node.members.findLast((member) => member.name === name)?.value
    : undefined;

const stringOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'string' ? node.text : undefined;

const stringsOf = (node: JsonNode | undefined): readonly string[] | undefined => {
  if (node === undefined || node.kind === 'null') return [];
  if (node.kind !== 'array') return undefined;
  const strings = node.items.flatMap((item) => stringOf(item) ?? []);
  return strings.length === node.items.length ? strings : undefined;
};
