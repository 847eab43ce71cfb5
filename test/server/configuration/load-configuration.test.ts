/** A configuration compiles to the same graph in either thread. */
import { expect, test } from 'vitest';
import { writeArtifact } from '../../../engine/src/compile/artifact.ts';
import { compile } from '../../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { nodeDigest } from '../../../engine/src/node/digest.ts';
import {
  loadConfiguration,
  maxInlineCharacters,
} from '../../../engine/src/server/configuration/load-configuration.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

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

test('compiles a small text in this thread', async () => {
  const { graph, diagnostics } = await load(head + entry(1));
  expect(diagnostics).toEqual([]);
  expect(graph).toEqual(inline(head + entry(1)).graph);
});

test('compiles a large text in a worker, to the same graph', async () => {
  const loaded = await load(large());
  const expected = inline(large());
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.graph).toEqual(JSON.parse(JSON.stringify(expected.graph)));
  expect(loaded.graph?.nodes.length).toBe(60);
  expect(loaded.origins).toEqual(expected.origins);
});

test('returns lint diagnostics with the graph, from either thread', async () => {
  const trap = entry(99).concat("    groups:\n      expression: claims.roles.split(',')\n");
  for (const text of [head + trap, large(trap)]) {
    const { graph, diagnostics } = await load(text);
    expect(graph).toBeDefined();
    expect(diagnostics.map(({ name, severity }) => [name, severity])).toEqual([
      ['native-string-list', 'warning'],
    ]);
  }
});

test('keeps the positions of errors in a large text', async () => {
  const text = large('- issuer: { url: http://plain.example, audiences: [a] }\n  bogus: 1\n');
  const loaded = await load(text);
  expect(loaded.graph).toBeUndefined();
  expect(loaded.diagnostics).toEqual(inline(text).diagnostics);
  const bogus = loaded.diagnostics.find(({ span }) => text.slice(span.start, span.end) === 'bogus');
  expect(bogus?.severity).toBe('error');
});

test('loads an artifact, and rejects a modified one', async () => {
  const { graph } = inline(head + entry(1));
  if (graph === undefined) throw new Error('no graph');
  const artifact = writeArtifact(graph, head + entry(1), nodeDigest());
  expect((await load(artifact)).graph).toEqual(JSON.parse(JSON.stringify(graph)));
  const changed = await load(artifact.replace('issuer-1.example', 'issuer-2.example'));
  expect(changed.graph).toBeUndefined();
  expect(changed.diagnostics[0]?.code).toBe('AG5102');
});

test('no text rejects the promise', async () => {
  for (const text of ['', '\0', '{', '{"artifact":"authgraph"', 'a: &a [*a]', '\ud800']) {
    const { graph, diagnostics } = await load(text);
    expect(graph, text).toBeUndefined();
    expect(diagnostics.length, text).toBeGreaterThan(0);
  }
});
