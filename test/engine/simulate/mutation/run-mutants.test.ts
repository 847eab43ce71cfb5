/** The result of mutants: noticed by a test, or shown by a token, or proved to be equivalent. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../engine/src/formats/json-with-shape.ts';
import { EvaluationBudget } from '../../../../engine/src/simulate/access/evaluation-budget.ts';
import { StringWalks } from '../../../../engine/src/simulate/access/string-walks.ts';
import { measureCoverage } from '../../../../engine/src/simulate/coverage/measure-coverage.ts';
import { createMutants } from '../../../../engine/src/simulate/mutation/create-mutants.ts';
import type { Mutant } from '../../../../engine/src/simulate/mutation/mutant.ts';
import { witnessOf } from '../../../../engine/src/simulate/mutation/mutant-witness.ts';
import { mutationScore } from '../../../../engine/src/simulate/mutation/mutation-score.ts';
import {
  type MutantCache,
  type MutantResult,
  type MutationSuite,
  runMutants,
} from '../../../../engine/src/simulate/mutation/run-mutants.ts';
import { whoamiClaims } from '../../../../engine/src/simulate/whoami/whoami-claims.ts';
import { compileText } from '../../../support/compile-text.ts';

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
  claimValidationRules:
  - expression: claims.hd == "x" && claims.hd != "y"
`;
const base = { iss: 'https://a.example', aud: 'app', exp: 2_000_000_000, sub: 'jane' };
const now = 1_000_000;

/** A test for each set of claims: the username, or undefined for a rejection. */
const suiteOf = (
  text: string,
  tests: readonly (readonly [JsonObject, string | undefined])[],
): MutationSuite & { readonly runs: () => number } => {
  let runs = 0;
  const claimsOf = (claims: JsonObject) => ({
    claims: { ...base, ...claims },
    unreadable: new Map<string, string>(),
  });
  return {
    coverage: measureCoverage(
      compileText(text),
      tests.map(([claims]) => ({ claims: claimsOf(claims), now, isToken: true })),
    ),
    coversAnonymous: false,
    async firstFailure(graph) {
      runs++;
      const index = tests.findIndex(([claims, username]) => {
        const options = { mode: 'product', explain: false, now, strict: true } as const;
        const { decision } = whoamiClaims(graph, claimsOf(claims), options);
        return (decision.kind === 'accepted' ? decision.user.username : undefined) !== username;
      });
      return index === -1 ? undefined : `test ${index + 1}`;
    },
    runs: () => runs,
  };
};

const run = async (
  tests: readonly (readonly [JsonObject, string | undefined])[],
): Promise<readonly MutantResult[]> => {
  const compilation = compileText(configuration);
  return runMutants(compilation, createMutants(compilation).mutants, {
    suite: suiteOf(configuration, tests),
  });
};

const graphOf = (text: string) => {
  const { graph } = compileText(text);
  if (graph === undefined) throw new Error('the configuration has errors');
  return graph;
};

const resultOf = (results: readonly MutantResult[], description: string): MutantResult => {
  const found = results.find(({ mutant }) => mutant.description === description);
  if (found === undefined) throw new Error(`no mutant: ${description}`);
  return found;
};

test('a mutant is killed by the first test that fails', async () => {
  const results = await run([
    [{ hd: 'x' }, 'a:jane'],
    [{ hd: 'z' }, undefined],
  ]);
  expect(resultOf(results, 'the rule always holds')).toMatchObject({
    status: 'Killed',
    reason: 'test 2',
  });
  expect(resultOf(results, 'the prefix a: is removed')).toMatchObject({
    status: 'Killed',
    reason: 'test 1',
  });
});

test('a survivor has a token that slips in', async () => {
  const results = await run([[{ hd: 'x' }, 'a:jane']]);
  const { status, witness } = resultOf(results, '== becomes startsWith');
  expect(status).toBe('Survived');
  expect(witness).toMatchObject({
    kind: 'gained',
    before: null,
    claims: { hd: expect.stringMatching(/^x./) },
  });
  expect(witness?.after?.username).toMatch(/^a:/);
});

test('a change that only locks users out is shown by the user', async () => {
  const results = await run([[{ hd: 'z' }, undefined]]);
  expect(resultOf(results, 'the rule is negated').status).toBe('Killed');
  expect(resultOf(results, '== becomes !=').status).toBe('Killed');
  const { witness } = resultOf(results, 'the audience app becomes another-audience');
  expect(witness?.kind).toBe('gained');
});

test('a mutant that decides every token alike is ignored', async () => {
  const results = await run([[{ hd: 'x' }, 'a:jane']]);
  // The second condition follows from the first.
  expect(resultOf(results, 'claims.hd != "y" is always true')).toMatchObject({
    status: 'Ignored',
    reason: 'equivalent: every token is decided alike, which is proved',
  });
});

test('a part that no test reaches is not covered', async () => {
  const results = await run([]);
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['NoCoverage', 'Ignored']));
});

test('a mutant that does not compile has the error', async () => {
  const text = configuration.replace('claims.hd == "x" && claims.hd != "y"', 'claims.a.b in ["x"]');
  const compilation = compileText(text);
  const [mutant] = createMutants(compilation).mutants;
  if (mutant === undefined) throw new Error('no mutant');
  const broken: Mutant = {
    ...mutant,
    text: () => mutant.text().replace('claims.a.b', 'claim.a.b'),
  };
  const [result] = await runMutants(compilation, [broken], { suite: suiteOf(text, []) });
  expect(result).toMatchObject({ status: 'CompileError' });
  expect(result?.reason).toContain("undeclared reference to 'claim'");
});

test('a cached result is not computed again', async () => {
  const compilation = compileText(configuration);
  const mutants = createMutants(compilation).mutants;
  const stored = new Map<string, MutantResult>();
  const cache: MutantCache = {
    get: (mutant) => stored.get(mutant.text()),
    set: (mutant, result) => stored.set(mutant.text(), result),
  };
  const suite = suiteOf(configuration, [[{ hd: 'x' }, 'a:jane']]);
  const first = await runMutants(compilation, mutants, { suite, cache });
  const runs = suite.runs();
  expect(runs).toBe(mutants.length);
  expect(await runMutants(compilation, mutants, { suite, cache })).toEqual(first);
  expect(suite.runs()).toBe(runs);
});

test('the run ends with its signal and reports its progress', async () => {
  const compilation = compileText(configuration);
  const controller = new AbortController();
  const seen: string[] = [];
  const results = await runMutants(compilation, createMutants(compilation).mutants, {
    suite: suiteOf(configuration, [[{ hd: 'x' }, 'a:jane']]),
    signal: controller.signal,
    onProgress(done, all) {
      seen.push(`${done}/${all}`);
      if (done === 2) controller.abort();
    },
  });
  expect(results).toHaveLength(2);
  expect(seen.map((text) => text.split('/')[0])).toEqual(['1', '2']);
});

test('no mutant is compared once the limit for all of them is reached', () => {
  const before = { graph: graphOf(configuration), origins: new Map() };
  const after = { ...before, graph: graphOf(configuration.replace('"x"', '"z"')) };
  const sides = { before, after, at: 'jwt[0].claimValidationRules[0]' };
  const mode = 'product';
  const compare = (evaluations: number, steps: number) =>
    witnessOf(sides, {
      mode,
      budget: new EvaluationBudget(undefined, evaluations),
      walks: new StringWalks(steps),
    });
  expect(compare(10_000, 1_000_000).kind).toBe('found');
  const reason = 'the limit for the comparisons of all mutants was reached';
  expect(compare(0, 1_000_000)).toEqual({ kind: 'undecided', reason });
  expect(compare(10_000, 0)).toEqual({ kind: 'undecided', reason });
});

test('the score leaves out mutants that are not valid', () => {
  const results = (
    ['Killed', 'Killed', 'Survived', 'NoCoverage', 'CompileError', 'Ignored'] as const
  ).map((status) => ({ status }));
  const { score, counts } = mutationScore(results);
  expect(score).toBe(50);
  expect(counts).toEqual({ Killed: 2, Survived: 1, NoCoverage: 1, CompileError: 1, Ignored: 1 });
  expect(mutationScore([]).score).toBe(100);
});
