/** The evaluations of a task limit all of its comparisons together, and the work can be paused. */
import { expect, test } from 'vitest';
import {
  compareAccessSteps,
  compareAccessWithin,
} from '../../../../engine/src/simulate/access/compare-access.ts';
import { EvaluationBudget } from '../../../../engine/src/simulate/access/evaluation-budget.ts';
import { StringWalks } from '../../../../engine/src/simulate/access/string-walks.ts';
import { sideOf } from './compare-texts.ts';

const configuration = (prefix: string, rule: string) =>
  sideOf(`apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
    groups: { claim: groups, prefix: '${prefix}' }
  claimValidationRules: [{ expression: "${rule}" }]
`);

const hard = Array.from(
  { length: 8 },
  (_, at) => `claims.a${at}.indexOf(claims.b${at}) == ${at + 3}`,
).join(' || ');
const before = configuration('oidc:', hard);
const after = configuration('', `${hard} || claims.z.indexOf('zz') == 7`);

const taskOf = (budget: EvaluationBudget) => ({
  mode: 'product' as const,
  budget,
  walks: new StringWalks(2_000_000),
});

test('the search for system:masters spends the evaluations of the task', () => {
  const budget = new EvaluationBudget(1000, 15_000);
  const comparison = compareAccessWithin(before, after, taskOf(budget));
  expect(comparison.fullControl).toBeUndefined();
  expect(budget.evaluations).toBe(comparison.evaluations);
  expect(budget.evaluations).toBeLessThanOrEqual(15_000);
});

test('the result names the search as undecided if too few evaluations are left', () => {
  const budget = new EvaluationBudget(1000, 5000);
  const task = taskOf(budget);
  const comparisons = Array.from({ length: 3 }, () => compareAccessWithin(before, after, task));
  expect(comparisons.map(({ fullControl }) => fullControl)).toEqual(
    comparisons.map(() => 'undecided'),
  );
  expect(budget.evaluations).toBeLessThanOrEqual(5000);
});

test('a comparison yields after a limited number of evaluations, with the same result', () => {
  const budget = new EvaluationBudget(1000, 5000);
  const steps = compareAccessSteps(before, after, taskOf(budget));
  let evaluations = 0;
  let mostInStep = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    mostInStep = Math.max(mostInStep, budget.evaluations - evaluations);
    ({ evaluations } = budget);
  }
  expect(step.value).toEqual(
    compareAccessWithin(before, after, taskOf(new EvaluationBudget(1000, 5000))),
  );
  expect(mostInStep).toBeLessThanOrEqual(200);
});
