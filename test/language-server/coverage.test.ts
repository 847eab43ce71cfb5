/** Coverage over the protocol: by the cases of a test file, and by samples. */
import { afterEach, expect, test } from 'vitest';
import {
  type CoverageAnswer,
  coverageRequest,
  type PlaceInFile,
} from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const uri = `${workspaceUri}/auth.yaml`;
const testsUri = `${workspaceUri}/auth.authtest.yaml`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
  claimValidationRules:
  - expression: claims.hd == "x" || claims.hd == "y"
`;
const tests = `configuration: auth.yaml
base: { claims: { iss: https://a.example, aud: app, sub: jane, hd: x } }
tests:
- { name: jane, expect: { user: "a:jane" } }
- { name: other, claims: { hd: z }, expect: { rejected: true } }
- { name: unknown key, sign: { key: unknown }, expect: { rejected: true } }
`;

const ask = async (
  documents: Readonly<Record<string, string>>,
  requested: string,
  files: Readonly<Record<string, string>> = {},
): Promise<CoverageAnswer> => {
  client = await languageClient({ files: new Map(Object.entries(files)) });
  for (const [name, text] of Object.entries(documents)) await client.open(name, text);
  return client.connection.sendRequest(coverageRequest, { uri: requested });
};

const textAt = (text: string, { range: { start, end } }: PlaceInFile): string =>
  (text.split('\n')[start.line] ?? '').slice(start.character, end.character);

test('the cases of a test file cover the configuration that it names', async () => {
  const { configurations, problem } = await ask(
    { [uri]: configuration, [testsUri]: tests },
    testsUri,
  );
  expect(problem).toBeUndefined();
  const [{ cases, covered, all, places } = { places: [] }, ...others] = configurations;
  expect(others).toEqual([]);
  expect({ cases, covered, all }).toEqual({ cases: 2, covered: 9, all: 12 });
  const missing = places.filter((place) => place.missing.length > 0 && place.kind === 'branch');
  expect(
    missing.map(({ at, outcomes, missing: sentences }) => ({ at, outcomes, sentences })),
  ).toEqual([
    {
      at: 'jwt[0].claimValidationRules[0]',
      outcomes: [
        { name: 'true', hits: 0 },
        { name: 'false', hits: 1 },
      ],
      sentences: ['no case makes the condition true: claims.hd == "y"'],
    },
  ]);
  expect(missing.map(({ place }) => textAt(configuration, place))).toEqual(['claims.hd == "y"']);
});

test('only the requested cases count', async () => {
  client = await languageClient({
    files: new Map([
      [uri, configuration],
      [testsUri, tests],
    ]),
  });
  const { configurations } = await client.connection.sendRequest<CoverageAnswer>(coverageRequest, {
    uri: testsUri,
    cases: [1],
  });
  expect(configurations[0]?.cases).toBe(1);
  const rule = configurations[0]?.places.find(({ kind }) => kind === 'rule');
  expect(rule?.outcomes).toEqual([
    { name: 'true', hits: 0 },
    { name: 'false', hits: 1 },
  ]);
});

test('the configuration need not be open', async () => {
  const { configurations } = await ask({ [testsUri]: tests }, testsUri, { [uri]: configuration });
  expect(configurations[0]?.covered).toBe(9);
  expect(configurations[0]?.places[0]?.place.uri).toBe(uri);
});

test('all samples cover the configurations of a document, also inside a ConfigMap', async () => {
  const embedded = `kind: ConfigMap\nmetadata: { name: auth }\ndata:\n  auth.yaml: |\n${configuration.replace(/^/gm, '    ')}\n`;
  const sample = 'iss: https://a.example\nsub: jane\nhd: "y"\n';
  const { configurations } = await ask({ [uri]: embedded }, uri, {
    [`${workspaceUri}/jane.claims.yaml`]: sample,
  });
  const [{ cases, places } = { places: [] }] = configurations;
  expect(cases).toBe(1);
  const branches = places.filter(({ kind }) => kind === 'branch');
  expect(branches.map(({ place }) => textAt(embedded, place))).toEqual([
    'claims.hd == "x"',
    'claims.hd == "y"',
  ]);
  expect(branches.map(({ outcomes }) => outcomes.map(({ hits }) => hits))).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

test.each([
  ['no configuration is open', '', problems.noneOpen],
  ['there are no samples', uri, problems.noSamples],
  ['the test file has a mistake', testsUri, 'the test file has mistakes: '],
])('reports that %s', async (_, requested, problem) => {
  const answer = await ask({ [uri]: configuration, [testsUri]: 'tests: 7\n' }, requested);
  expect(answer.configurations).toEqual([]);
  expect(answer.problem).toContain(problem);
});
