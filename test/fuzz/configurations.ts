/**
 * Generates configuration files: valid ones with fields that are dropped, duplicated, misspelled,
 * or of other types and styles.
 */
import { stringify } from 'yaml';
import { versionsAt } from '../../engine/src/config/skeletons.ts';
import type { Release } from '../../engine/src/model/release.ts';
import { cases } from '../support/cases.ts';
import type { Random } from './random.ts';

const recorded = cases<{ config: string }>('conformance/config-validation.jsonl')
  .map(({ input }) => input.config)
  .filter((config) => config.length < 4000);

export const configurationQuestions = (
  random: Random,
  count: number,
  release: Release,
): readonly object[] =>
  Array.from({ length: count }, () => ({
    op: 'validate',
    config: random.chance(0.35)
      ? mutatedText(random, random.pick(recorded))
      : written(random, configuration(random, release)),
    ...(random.chance(0.1) ? { disallowedIssuers: ['https://issuer.example.com'] } : {}),
  }));

type Tree = { [key: string]: unknown };

const unusualVersions = ['v1', 'v2'].map((version) => `apiserver.config.k8s.io/${version}`);

const configuration = (random: Random, release: Release): Tree => {
  const known = versionsAt(release).filter((version) => version.includes('.k8s.io/'));
  const tree: Tree = {
    apiVersion: random.pick(random.chance(0.06) ? unusualVersions : known),
    kind: 'AuthenticationConfiguration',
    jwt: Array.from({ length: random.below(3) }, () => authenticator(random)),
  };
  if (random.chance(0.3)) {
    tree.anonymous = {
      enabled: random.chance(0.6),
      ...(random.chance(0.5) ? { conditions: [{ path: '/livez' }] } : {}),
    };
  }
  for (let times = random.below(3); times > 0; times -= 1) disturb(random, tree);
  return tree;
};

const urls = [
  'https://issuer.example.com',
  'https://issuer.example.com/',
  'http://issuer.example.com',
  'https://u:p@x.example',
  'https://x.example?q=1',
  'https://x.example#f',
  'https://%zz',
  ':x',
  'https://x.example:abc',
  'https://[::1',
  'HTTPS://X.example',
  '',
];
const texts = [
  'claims.sub',
  "'a' + claims.sub",
  'claims.email',
  'claims.clams',
  'clams.sub',
  '1',
  '[',
  'claims.groups',
  "claims.roles.split(',')",
  'claims.email_verified == true',
  'claims.n + 1 == 2',
  "user.username.startsWith('x')",
  'true',
  '',
  "int('x') == 1",
  'claims.groups.map(g, g)',
];

const authenticator = (random: Random): Tree => {
  const issuer: Tree = {
    url: random.pick(urls),
    audiences: random.pick([['aud'], ['a', 'b'], [], [''], ['a', 'a']]),
  };
  if (random.chance(0.3)) issuer.audienceMatchPolicy = random.pick(['MatchAny', 'MatchAll', '']);
  if (random.chance(0.2)) issuer.discoveryURL = random.pick(urls);
  if (random.chance(0.1))
    issuer.certificateAuthority = random.pick([
      '',
      'x',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    ]);
  if (random.chance(0.1))
    issuer.egressSelectorType = random.pick(['cluster', 'controlplane', 'etcd', '']);
  const mapping = (): Tree => {
    const result: Tree = {};
    if (random.chance(0.6)) result.claim = random.pick(['sub', '', 'email']);
    if (random.chance(0.6)) result.prefix = random.pick(['', 'p:']);
    if (random.chance(0.4)) result.expression = random.pick(texts);
    return result;
  };
  const result: Tree = { issuer, claimMappings: { username: mapping() } };
  const mappings = result.claimMappings as Tree;
  if (random.chance(0.4)) mappings.groups = mapping();
  if (random.chance(0.2))
    mappings.uid = random.pick([
      { claim: 'sub' },
      { expression: 'claims.sub' },
      { claim: 'a', expression: 'claims.b' },
    ]);
  if (random.chance(0.3)) {
    mappings.extra = Array.from({ length: 1 + random.below(2) }, () => ({
      key: random.pick([
        'example.com/a',
        'example.com/a',
        'Example.com/A',
        'x',
        'k8s.io/x',
        'a.k8s.io/x',
        '',
        'example.com/',
        '/x',
        'example.com/a b',
        'exa_mple.com/a',
      ]),
      valueExpression: random.pick(texts),
    }));
  }
  if (random.chance(0.4)) {
    result.claimValidationRules = Array.from({ length: 1 + random.below(2) }, () =>
      random.pick<Tree>([
        { claim: 'hd', requiredValue: 'x' },
        { expression: random.pick(texts), message: 'm' },
        { claim: 'hd', message: 'm' },
        {},
        { claim: 'a', expression: 'true' },
        { expression: 'true', requiredValue: 'x' },
      ]),
    );
  }
  if (random.chance(0.3)) {
    result.userValidationRules = Array.from({ length: 1 + random.below(2) }, () => ({
      expression: random.pick(texts),
      ...(random.chance(0.5) ? { message: 'm' } : {}),
    }));
  }
  return result;
};

const unusualValues: readonly unknown[] = [
  null,
  1,
  true,
  'x',
  [],
  {},
  [null],
  { a: 1 },
  1.5,
  '017',
  -0,
  'yes',
];

/** Changes one place of the tree: drops, renames, retypes or adds a field. */
const disturb = (random: Random, tree: Tree): void => {
  let at: Tree = tree;
  for (let depth = random.below(5); depth > 0; depth -= 1) {
    const inside = Object.values(at)
      .flatMap((value) => (Array.isArray(value) ? value : [value]))
      .filter(
        (value): value is Tree =>
          typeof value === 'object' && value !== null && !Array.isArray(value),
      );
    if (inside.length === 0) break;
    at = random.pick(inside);
  }
  const keys = Object.keys(at);
  const key = keys.length === 0 ? 'bogus' : random.pick(keys);
  const how = random.below(4);
  if (how === 0) delete at[key];
  else if (how === 1) at[key] = structuredClone(random.pick(unusualValues));
  else if (how === 2)
    at[random.pick(['bogus', 'URL', 'Claim', 'kind', 'jwt', `${key}x`, key.toUpperCase()])] =
      structuredClone(random.pick(unusualValues));
  else {
    at[key.slice(0, -1)] = at[key];
    delete at[key];
  }
};

const written = (random: Random, tree: Tree): string =>
  random.chance(0.15)
    ? JSON.stringify(tree)
    : stringify(tree, {
        version: random.pick(['1.1', '1.2']),
        defaultStringType: random.pick([
          'PLAIN',
          'QUOTE_SINGLE',
          'QUOTE_DOUBLE',
          'BLOCK_LITERAL',
          'BLOCK_FOLDED',
        ]),
        defaultKeyType: 'PLAIN',
        indentSeq: random.chance(0.5),
        indent: random.pick([2, 4, 3]),
        lineWidth: random.pick([0, 40, 80]),
        collectionStyle: random.pick(['any', 'any', 'block', 'flow']),
      });

const splices = [
  'yes',
  'no',
  'on',
  '017',
  '0x1F',
  '1_000',
  '~',
  'null',
  '1.10',
  '2024-01-01',
  '&a x',
  '*a',
  '<<: {a: 1}',
  '!!str 1',
  '!x y',
  '- ',
  ': ',
  '\t',
  '#',
  '"',
  "'",
  '|',
  '>-',
  '{',
  '}',
  '[',
  ']',
  '---\n',
  '...\n',
  '? ',
  '\r\n',
  '%YAML 1.1\n',
  '\u0000',
  '\u0007',
  '\ufeff',
  'é😀',
  '@',
  '`',
];

const mutatedText = (random: Random, text: string): string => {
  let result = text;
  for (let times = 1 + random.below(2); times > 0; times -= 1) {
    const lines = result.split('\n');
    const at = random.below(lines.length);
    const how = random.below(6);
    if (how === 0) lines.splice(at, 1);
    else if (how === 1) lines.splice(at, 0, lines[random.below(lines.length)] ?? '');
    else if (how === 2) lines[at] = ` ${lines[at]}`;
    else if (how === 3) lines[at] = (lines[at] ?? '').replace(/: .*$/, `: ${random.pick(splices)}`);
    else {
      const offset = random.below(result.length + 1);
      result =
        result.slice(0, offset) + random.pick(splices) + result.slice(offset + random.below(3));
      continue;
    }
    result = lines.join('\n');
  }
  // A file is decoded from bytes, which cannot contain half of a surrogate pair.
  return result.toWellFormed();
};
