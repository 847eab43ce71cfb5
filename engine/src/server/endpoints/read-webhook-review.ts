/** The body that an API server sends to its authentication webhook, read strictly. */
import type { JsonNode } from '../../formats/json-with-positions.ts';

export interface WebhookReview {
  /** As sent, `authentication.k8s.io/v1beta1`: an answer in another version is none. */
  readonly apiVersion: string;
  readonly token: string;
  readonly audiences: readonly string[];
}

export type WebhookReviewReading =
  | { readonly kind: 'review'; readonly review: WebhookReview }
  | { readonly kind: 'error'; readonly message: string };

const versions = ['v1', 'v1beta1'];

/** `groups`: those in which a review may stand. */
export const readWebhookReview = (
  root: JsonNode,
  groups: ReadonlyMap<string, unknown>,
): WebhookReviewReading => {
  const kind = stringOf(memberOf(root, 'kind'));
  const apiVersion = stringOf(memberOf(root, 'apiVersion')) ?? '';
  const [group = '', version = ''] = apiVersion.split('/');
  if (kind !== 'TokenReview' || apiVersion !== `${group}/${version}`) return notAReview;
  if (!groups.has(group) || !versions.includes(version)) return notAReview;
  const spec = memberOf(root, 'spec');
  const token = stringOf(memberOf(spec, 'token')) ?? '';
  if (token === '') return problem('spec.token is missing');
  const audiences = stringsOf(memberOf(spec, 'audiences'));
  if (audiences === undefined) return problem('spec.audiences must be a list of texts');
  return { kind: 'review', review: { apiVersion, token, audiences } };
};

const problem = (message: string): WebhookReviewReading => ({ kind: 'error', message });

const notAReview = problem(
  'the body must be a TokenReview of authentication.k8s.io/v1 or authentication.k8s.io/v1beta1',
);

/** The last one of a name, as decoders of JSON take it. */
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
