/**
 * A question line with its key sets as they were written: errors of kube-apiserver repeat the text of
 * a key set, spaces and repeated members included, which `JSON.parse` would lose.
 */

import {
  type JsonNode,
  parseJsonWithPositions,
  rawJson,
} from '../../engine/src/formats/json-with-positions.ts';
import { encodeUtf8 } from '../../engine/src/formats/utf8.ts';
import type { AuthenticateQuestion } from './answer-authenticate.ts';

/** The question at a path of the line (`input` in recorded cases), key sets as text. */
export const rawQuestion = (line: string, path: readonly string[] = []): AuthenticateQuestion => {
  const bytes = encodeUtf8(line);
  const tree = parseJsonWithPositions(bytes);
  if (tree.kind === 'error') throw new Error(tree.error);
  const node = path.reduce<JsonNode | undefined>(memberOf, tree.root);
  if (node === undefined) throw new Error(`no ${path.join('.')} in the line`);
  const question: AuthenticateQuestion = JSON.parse(rawJson(bytes, node));
  const jwks = memberOf(node, 'jwks');
  const keys = memberOf(node, 'keys');
  return {
    ...question,
    ...(jwks === undefined ? {} : { jwks: rawJson(bytes, jwks) }),
    ...(keys?.kind === 'object'
      ? {
          keys: Object.fromEntries(
            keys.members.map(({ name, value }) => [name, rawJson(bytes, value)]),
          ),
        }
      : {}),
  };
};

const memberOf = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === 'object'
    ? node.members.findLast((member) => member.name === name)?.value
    : undefined;
