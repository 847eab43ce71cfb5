/** Answers cases about token files. */
import { linkStaticToken } from '../../../engine/src/authenticators/static-token/authenticate.ts';
import { compileStaticToken } from '../../../engine/src/authenticators/static-token/compile.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import type { Mode } from '../../../engine/src/model/differences.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { nodeDigest } from '../../../engine/src/node/digest.ts';
import { decisionAnswer } from './decision-answer.ts';
import type { CaseLine } from './module-cases.ts';

export type TokenfileCase = CaseLine<
  { readonly csv?: string },
  { readonly tokens?: readonly string[] }
>;

export const answerTokenfile = async (
  { config, input }: TokenfileCase,
  mode: Mode = 'exact',
): Promise<object> => {
  const digest = nodeDigest();
  const bytes = encodeUtf8(config.csv ?? '');
  const compiled = compileStaticToken({ file: 'tokens.csv', bytes }, { digest, mode });
  if (compiled.kind === 'failed') return { loadError: compiled.error };
  const { authenticate } = linkStaticToken(compiled.node, { digest }, compiled.material);
  const waiter = new AbortController();
  const decisions = (input.tokens ?? []).map((token) =>
    authenticate({ path: '/', token: secret(token), audiences: [] }, waiter),
  );
  return { results: (await Promise.all(decisions)).map(decisionAnswer) };
};
