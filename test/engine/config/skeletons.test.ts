/** What completion inserts for a field is valid. */
import { expect, test } from 'vitest';
import { idiomsOf } from '../../../engine/src/config/idioms.ts';
import { type StructName, schema } from '../../../engine/src/config/schema.ts';
import { entrySkeletons, skeletonsOf } from '../../../engine/src/config/skeletons.ts';
import { parseDocument } from '../../../engine/src/documents/yaml/parse.ts';
import { newestRelease, oldestRelease } from '../../../engine/src/model/release.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { compileText } from '../../support/compile-text.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const issuer = 'issuer: {url: https://issuer.example, audiences: [app]}';
const mappings = 'claimMappings: {username: {claim: sub, prefix: ""}}';

/** A file around a field of the struct; `@` marks the field, in its column. */
const fileAround: Readonly<Record<StructName, string>> = {
  AuthenticationConfiguration: `${head}@`,
  AnonymousAuthConfig: `${head}anonymous:\n  @`,
  AnonymousAuthCondition: `${head}anonymous:\n  enabled: true\n  conditions:\n  - @`,
  JWTAuthenticator: `${head}jwt:\n- @`,
  Issuer: `${head}jwt:\n- issuer:\n    url: https://issuer.example\n    @\n  ${mappings}`,
  ClaimValidationRule: `${head}jwt:\n- ${issuer}\n  ${mappings}\n  claimValidationRules:\n  - @`,
  ClaimMappings: `${head}jwt:\n- ${issuer}\n  claimMappings:\n    @`,
  PrefixedClaimOrExpression: `${head}jwt:\n- ${issuer}\n  claimMappings:\n    username:\n      @`,
  ClaimOrExpression: `${head}jwt:\n- ${issuer}\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n    uid:\n      @`,
  ExtraMapping: `${head}jwt:\n- ${issuer}\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n    extra:\n    - @`,
  UserValidationRule: `${head}jwt:\n- ${issuer}\n  ${mappings}\n  userValidationRules:\n  - @`,
};

/** Siblings that a field requires. */
const siblings: ReadonlyMap<string, string> = new Map([
  ['JWTAuthenticator.issuer', mappings],
  ['JWTAuthenticator.claimMappings', issuer],
  ['JWTAuthenticator.claimValidationRules', `${issuer}\n${mappings}`],
  ['JWTAuthenticator.userValidationRules', `${issuer}\n${mappings}`],
  ['AnonymousAuthConfig.conditions', 'enabled: true'],
  ['ClaimMappings.groups', 'username: {claim: sub, prefix: ""}'],
  ['ClaimMappings.uid', 'username: {claim: sub, prefix: ""}'],
  ['ClaimMappings.extra', 'username: {claim: sub, prefix: ""}'],
]);

const withStops = (body: string): string => body.replaceAll(/‹([^›]*)›/g, '$1');

const placed = (struct: StructName, written: string): string => {
  const file = fileAround[struct];
  const at = file.indexOf('@');
  const column = at - (file.lastIndexOf('\n', at) + 1);
  return file.replace('@', withStops(written).replaceAll('\n', `\n${' '.repeat(column)}`));
};

const errorsOf = (text: string): readonly string[] =>
  compileText(text)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

const structs = [...schema].flatMap(([struct, rows]) =>
  rows
    .filter(({ type }) => type.kind === 'struct' || type.kind === 'list')
    .flatMap(({ name }) =>
      skeletonsOf(struct, name, { release: newestRelease, present: new Set() }).map(
        ({ variant, body }) => ({ struct, name, variant, body }),
      ),
    ),
);

test.each(structs)('$name of $struct $variant', ({ struct, name, body }) => {
  const others = siblings.get(`${struct}.${name}`);
  const before = others === undefined ? '' : `${others}\n`;
  expect(errorsOf(placed(struct, `${before}${name}:${body}`))).toEqual([]);
});

const entries = [...schema.keys()].flatMap((struct) =>
  entrySkeletons(struct).map(({ variant, body }) => ({ struct, variant, body })),
);

test.each(entries)('an entry of $struct $variant', ({ struct, body }) => {
  expect(errorsOf(placed(struct, body))).toEqual([]);
});

const examples = [...schema.values()].flatMap((rows) =>
  rows.map(({ name, example }) => [name, example] as const),
);

test.each(examples)('the example of %s is YAML', (name, example) => {
  const text = example.startsWith('- ') ? `${name}:\n  ${example}` : `${name}: ${example}`;
  expect(parseDocument(sourceFile('example.yaml', text)).failure).toBeUndefined();
});

const expressionPaths = [...schema].flatMap(([, rows]) =>
  rows.filter(({ expression }) => expression !== undefined).map(({ name }) => name),
);
const parts = ['claimValidationRules', 'userValidationRules'].map((part) => `jwt.${part}`);
const mapped = ['username', 'groups', 'uid'].map((part) => `jwt.claimMappings.${part}`);
const idioms = [...parts, ...mapped].flatMap((part) =>
  [...new Set(expressionPaths)].flatMap((name) =>
    idiomsOf(`${part}.${name}`).map(({ text }) => [part, text] as const),
  ),
);

test.each(idioms)('the idiom of %s compiles: %s', (part, text) => {
  const value = JSON.stringify(text);
  const [, last = '', mapping] = part.split('.');
  const username = mapping === 'username' ? '' : '\n    username: {claim: sub, prefix: ""}';
  const written = mapping === undefined ? '' : `\n    ${mapping}: {expression: ${value}}`;
  const rules = mapping === undefined ? `\n  ${last}:\n  - expression: ${value}` : '';
  const file = `${head}jwt:\n- ${issuer}\n  claimMappings:${username}${written}${rules}\n`;
  expect(errorsOf(file)).toEqual([]);
});

test('there are idioms', () => {
  expect(idioms.length).toBeGreaterThan(8);
});

test('the version of a file is one that the release reads', () => {
  const bodyAt = (release: typeof newestRelease): string =>
    skeletonsOf('AuthenticationConfiguration', 'apiVersion', { release, present: new Set() })[0]
      ?.body ?? '';
  expect(bodyAt(newestRelease)).toBe(' apiserver.config.k8s.io/v1');
  expect(bodyAt(oldestRelease)).toBe(' apiserver.config.k8s.io/v1beta1');
});
