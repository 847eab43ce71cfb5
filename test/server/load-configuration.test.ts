/** The same text gives the same graph, in whichever thread it was compiled. */
import { expect, test } from 'vitest';
import { writeArtifact } from '../../engine/src/compile/artifact.ts';
import { compile } from '../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../engine/src/compile/settings.ts';
import { lint } from '../../engine/src/lints/lint.ts';
import { nodeDigest } from '../../engine/src/node/digest.ts';
import {
  maxInlineCharacters,
  loadConfiguration,
} from '../../engine/src/server/configuration/load-configuration.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';

const head = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous:
  enabled: true
  conditions:
  - path: /livez
jwt:
`;
const entry = (number: number) => `- issuer:
    url: https://issuer-${number}.example
    audiences: [app]
  claimMappings:
    username:
      expression: "'user:' + claims.sub + '-${number}'"
`;
const large = (extra = '') =>
  head +
  Array.from({ length: 60 }, (_, number) => entry(number)).join('') +
  extra +
  `# ${'x'.repeat(maxInlineCharacters)}\n`;

const load = (text: string) => loadConfiguration(sourceFile('config.yaml', text), defaultSettings);
const inline = (text: string) => {
  const compilation = compile({ source: sourceFile('config.yaml', text) });
  return { ...compilation, diagnostics: [...compilation.diagnostics, ...lint(compilation)] };
};

test('a small text is compiled here', async () => {
  const { graph, diagnostics } = await load(head + entry(1));
  expect(diagnostics).toEqual([]);
  expect(graph).toEqual(inline(head + entry(1)).graph);
});

test('a large text is compiled elsewhere, to the same graph', async () => {
  const loaded = await load(large());
  const expected = inline(large());
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.graph).toEqual(JSON.parse(JSON.stringify(expected.graph)));
  expect(loaded.graph?.nodes.length).toBe(60);
  expect(loaded.origins).toEqual(expected.origins);
});

test('advice comes with the graph, from either thread', async () => {
  const trap = entry(99).concat("    groups:\n      expression: claims.roles.split(',')\n");
  for (const text of [head + trap, large(trap)]) {
    const { graph, diagnostics } = await load(text);
    expect(graph).toBeDefined();
    expect(diagnostics.map(({ name, severity }) => [name, severity])).toEqual([
      ['native-text-list', 'warning'],
    ]);
  }
});

test('mistakes in a large text keep their places', async () => {
  const text = large('- issuer: { url: http://plain.example, audiences: [a] }\n  bogus: 1\n');
  const loaded = await load(text);
  expect(loaded.graph).toBeUndefined();
  expect(loaded.diagnostics).toEqual(inline(text).diagnostics);
  const bogus = loaded.diagnostics.find(({ span }) => text.slice(span.start, span.end) === 'bogus');
  expect(bogus?.severity).toBe('error');
});

test('an artefact is taken as it is; one that was changed is refused', async () => {
  const { graph } = inline(head + entry(1));
  if (graph === undefined) throw new Error('no graph');
  const artifact = writeArtifact(graph, head + entry(1), nodeDigest());
  expect((await load(artifact)).graph).toEqual(JSON.parse(JSON.stringify(graph)));
  const changed = await load(artifact.replace('issuer-1.example', 'issuer-2.example'));
  expect(changed.graph).toBeUndefined();
  expect(changed.diagnostics[0]?.code).toBe('AG5102');
});

test('no text makes it reject', async () => {
  for (const text of ['', '\0', '{', '{"artifact":"authgraph"', 'a: &a [*a]', '\ud800']) {
    const { graph, diagnostics } = await load(text);
    expect(graph, text).toBeUndefined();
    expect(diagnostics.length, text).toBeGreaterThan(0);
  }
});
