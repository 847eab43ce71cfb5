/** The place that a message is explained with is the place that the mapping itself names. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import { readClaims } from '../../../engine/src/signed-token/payload.ts';
import { explainLog } from '../../../engine/src/simulate/explain-log.ts';
import { whoamiClaims } from '../../../engine/src/simulate/whoami-claims.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { cases } from '../../support/cases.ts';

interface Question {
  readonly config?: string;
  readonly token?: string;
  readonly now?: string;
}

/** Refusals of the mapping, which claims alone show again. */
const refused = cases<Question>('conformance/authenticate.jsonl').flatMap(
  ({ id, input, expected }) => {
    const { error } = expected;
    const payload = input.token?.split('.')[1];
    if (
      typeof error !== 'string' ||
      payload === undefined ||
      /^oidc: (?:verify|authent|could)/.test(error)
    )
      return [];
    const compilation = compile({
      source: sourceFile('a.yaml', input.config ?? ''),
      settings: { ...defaultSettings, exact: true },
    });
    const claims = readClaims(Buffer.from(payload, 'base64url'));
    const { graph } = compilation;
    if (graph === undefined || claims === undefined) return [];
    const now = Date.parse(input.now ?? '');
    const { decision } = whoamiClaims(graph, claims, { mode: 'exact', explain: false, now });
    return [{ id, error, compilation, decision }];
  },
);

test('there are many', () => {
  expect(refused.length).toBeGreaterThan(60);
});

describe.each(refused.map((one) => [one.id, one] as const))('%s', (_, one) => {
  const { error, compilation, decision } = one;
  test('is refused with these words', () => {
    expect(decision.kind === 'rejected' && decision.reason.message).toBe(error);
  });
  test('at the place that the words are explained with', () => {
    const at = decision.kind === 'rejected' ? decision.reason.at : undefined;
    const [message] = explainLog(error, compilation).messages;
    expect(message?.places.map(({ path }) => path)).toContain(at);
    expect(message?.explanation.rejection?.code).toBe(
      decision.kind === 'rejected' ? decision.reason.code : '',
    );
  });
});
