/** Answers cases about requests without a credential. */
import { linkAnonymous } from '../../../engine/src/authenticators/anonymous/authenticate.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import { parseTarget } from '../../../engine/src/server/http/target.ts';
import { decisionAnswer } from './decision-answer.ts';
import type { CaseLine } from './module-cases.ts';

export type AnonymousCase = CaseLine<
  {
    readonly enabled?: boolean;
    readonly conditions?: readonly { readonly path?: string }[] | null;
  },
  { readonly target?: string; readonly audiences?: readonly string[] | null }
>;

export const answerAnonymous = async ({ config, input }: AnonymousCase): Promise<object> => {
  const paths = config.conditions?.map(({ path }) => path ?? '') ?? [];
  const { authenticate } = linkAnonymous({
    module: 'anonymous',
    enabled: config.enabled ?? false,
    paths: paths.length === 0 ? undefined : paths,
    fromFile: true,
  });
  const target = parseTarget(String.fromCharCode(...encodeUtf8(input.target ?? '')));
  if (target === undefined) throw new Error(`no target: ${input.target}`);
  const request = { path: target.path, token: undefined, audiences: input.audiences ?? [] };
  return decisionAnswer(await authenticate(request, new AbortController()));
};
