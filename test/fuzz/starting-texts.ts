/**
 * Configurations to start from: the samples, kube-apiserver's recorded cases, and generated ones.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { newestRelease } from '../../engine/src/model/release.ts';
import { cases } from '../support/cases.ts';
import { configurationQuestions } from './configurations.ts';
import type { Random } from './random.ts';

export type StartingText = (random: Random) => string;

/** Longer texts take too long to compile. */
const longest = 12_000;

export const startingTexts = (): readonly StartingText[] => {
  const fixed = [...samples(), ...recorded()].filter((text) => text.length < longest);
  return [
    ...fixed.map((text) => () => text),
    // Half of all runs use lists of several entries, where most parts can be reused.
    ...fixed.map((): StartingText => (random) => entries(random)),
    ...fixed.slice(0, 40).map((): StartingText => (random) => generated(random)),
  ];
};

const root = join(import.meta.dirname, '../..');

const samples = (): readonly string[] =>
  readdirSync(join(root, 'samples'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => readFileSync(join(root, 'samples', name), 'utf8'))
    .filter((text) => text.includes('AuthenticationConfiguration'));

const recorded = (): readonly string[] =>
  cases<{ config: string }>('conformance/config-validation.jsonl').map(({ input }) => input.config);

const generated: StartingText = (random) => {
  const [question] = configurationQuestions(random, 1, newestRelease);
  const { config } = { config: '', ...question };
  return config;
};

/** Generates a list as people write it, in one of several layouts. */
const entries: StartingText = (random) => {
  const jwt = Array.from({ length: 2 + random.below(4) }, (_, index) => entry(random, index));
  const indentSeq = random.chance(0.5);
  const text = stringify(
    {
      apiVersion: `apiserver.config.k8s.io/${random.pick(['v1', 'v1beta1'])}`,
      kind: 'AuthenticationConfiguration',
      ...(random.chance(0.1) ? { anonymous: { enabled: true } } : {}),
      jwt,
      ...(random.chance(0.3)
        ? { anonymous: { enabled: true, conditions: [{ path: '/livez' }] } }
        : {}),
    },
    { indentSeq, lineWidth: random.pick([0, 60]) },
  );
  const commented = random.chance(0.3)
    ? text.replace(/^( *)- issuer/gm, '$1# the next issuer\n$1- issuer')
    : text;
  const ended = random.chance(0.2) ? commented.replace(/\n$/, '') : commented;
  const followed = random.chance(0.1) ? `${ended}\n---\nkind: Other\n` : ended;
  if (random.chance(0.1)) return followed.replace('\n', '\r\n');
  return random.chance(0.15) ? followed.replaceAll('\n', '\r\n') : followed;
};

const entry = (random: Random, index: number): object => ({
  issuer: {
    url: `https://issuer-${random.chance(0.1) ? 0 : index}.example.com`,
    ...(random.chance(0.3) ? { discoveryURL: `https://d${index}.example.com/x` } : {}),
    audiences: random.pick([['app'], ['app', 'web'], ['app', 'app']]),
    ...(random.chance(0.5) ? { audienceMatchPolicy: 'MatchAny' } : {}),
  },
  ...(random.chance(0.6)
    ? {
        claimValidationRules: [
          random.pick([
            { claim: 'hd', requiredValue: 'example.com' },
            { claim: 'email_verified', requiredValue: 'true' },
            { expression: 'claims.email_verified == true', message: 'not verified' },
            { expression: 'has(claims.roles) &&\n  claims.roles.exists(r, r == "x")\n' },
          ]),
        ],
      }
    : {}),
  claimMappings: {
    username: random.pick([
      { claim: 'sub', prefix: 'oidc:' },
      { claim: 'email', prefix: '' },
      { expression: '"oidc:" + claims.sub' },
      { expression: 'claims.email' },
    ]),
    ...(random.chance(0.5)
      ? { groups: { expression: random.pick(["claims.roles.split(',')", 'claims.groups']) } }
      : {}),
    ...(random.chance(0.3) ? { uid: { claim: 'sub' } } : {}),
    ...(random.chance(0.4)
      ? { extra: [{ key: 'example.com/tenant', valueExpression: 'claims.tenant' }] }
      : {}),
  },
  ...(random.chance(0.5)
    ? {
        userValidationRules: [
          { expression: "!user.username.startsWith('system:')", message: 'reserved: "system:"' },
        ],
      }
    : {}),
});
