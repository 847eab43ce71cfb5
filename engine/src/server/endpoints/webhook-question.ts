/** The body that an API server sends to its authentication webhook, read strictly. */
import type { JsonNode } from '../../formats/json-tree.ts';

export interface WebhookQuestion {
  /** As sent, `authentication.k8s.io/v1beta1`: an answer in another version is none. */
  readonly apiVersion: string;
  readonly token: string;
  readonly audiences: readonly string[];
}

export type WebhookQuestionReading =
  | { readonly kind: 'question'; readonly question: WebhookQuestion }
  | { readonly kind: 'error'; readonly message: string };

const versions = ['v1', 'v1beta1'];

/** `groups`: those in which a review may stand. */
export const readWebhookReview = (
  root: JsonNode,
  groups: ReadonlyMap<string, unknown>,
): WebhookQuestionReading => {
  const kind = textOf(memberOf(root, 'kind'));
  const apiVersion = textOf(memberOf(root, 'apiVersion')) ?? '';
  const [group = '', version = ''] = apiVersion.split('/');
  if (kind !== 'TokenReview' || apiVersion !== `${group}/${version}`) return notAReview;
  if (!groups.has(group) || !versions.includes(version)) return notAReview;
  const spec = memberOf(root, 'spec');
  const token = textOf(memberOf(spec, 'token')) ?? '';
  if (token === '') return problem('spec.token is missing');
  const audiences = textsOf(memberOf(spec, 'audiences'));
  if (audiences === undefined) return problem('spec.audiences must be a list of texts');
  return { kind: 'question', question: { apiVersion, token, audiences } };
};

const problem = (message: string): WebhookQuestionReading => ({ kind: 'error', message });

const notAReview = problem(
  'the body must be a TokenReview of authentication.k8s.io/v1 or authentication.k8s.io/v1beta1',
);

/** The last one of a name, as decoders of JSON take it. */
const memberOf = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === 'object'
    ? node.members.findLast((member) => member.name === name)?.value
    : undefined;

const textOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'string' ? node.text : undefined;

const textsOf = (node: JsonNode | undefined): readonly string[] | undefined => {
  if (node === undefined || node.kind === 'null') return [];
  if (node.kind !== 'array') return undefined;
  const texts = node.items.flatMap((item) => textOf(item) ?? []);
  return texts.length === node.items.length ? texts : undefined;
};
