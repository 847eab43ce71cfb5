/** `authgraph diff --corpus`: claim sets of a file, in blocks and on several threads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { compareCorpus } from '../../engine/src/cli/diff/compare-corpus.ts';
import { linkLineComparer } from '../../engine/src/cli/diff/compare-lines.ts';
import { addResult, emptyResult } from '../../engine/src/cli/diff/corpus-result.ts';
import {
  BlockBuffers,
  bytesOfStream,
  maxLineBytes,
  wholeLines,
} from '../../engine/src/cli/line-blocks.ts';
import type { AuthenticatorGraph } from '../../engine/src/compile/graph.ts';
import { runCaptured } from '../support/captured-io.ts';
import { compileText } from '../support/compile-text.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const old = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
    groups: { claim: groups, prefix: 'oidc:' }
`;
const open = `${old.replace("groups, prefix: 'oidc:'", "groups, prefix: ''")}  claimValidationRules:
  - expression: "claims.sub != 'eve'"
`;
const files = { 'old.yaml': old, 'new.yaml': open };

const graphOf = (text: string): AuthenticatorGraph => {
  const { graph } = compileText(text);
  if (graph === undefined) throw new Error('the configuration has errors');
  return graph;
};
const graphs = { before: graphOf(old), after: graphOf(open) };

const line = (claims: object): string =>
  `${JSON.stringify({ iss: 'https://a.example', ...claims })}\n`;
const corpusFile = (text: string): string => {
  const path = join(temporaryFolder().path, 'corpus.jsonl');
  writeFileSync(path, text);
  return path;
};

test('counts the claim sets, and describes the first changes with their lines', async () => {
  const corpus = corpusFile(
    [
      line({ sub: 'jane' }),
      '\n \r\n',
      line({ sub: 'eve' }),
      line({ sub: 'root', groups: ['system:masters', 'system:nodes'] }),
      line({ iss: 'https://other.example', sub: 'x' }),
      line({ sub: 'x', aud: 'elsewhere' }),
    ].join(''),
  );
  const args = ['diff', 'old.yaml', 'new.yaml', '--corpus', corpus];
  const { code, stdout } = await runCaptured(args, { files });
  expect(code).toBe(1);
  expect(stdout).toContain(`- lost  ${corpus}:4 rejected by claimValidationRules[0]: `);
  expect(stdout).toContain(`~ changed  ${corpus}:5 → oidc:root · 3 groups`);
  expect(stdout).toContain(
    `${corpus}: 1 of 5 claim sets loses access, 1 changes\n1 claim set gains system:masters\n1 claim set gains system:nodes\n`,
  );
  const data = JSON.parse((await runCaptured([...args, '-o', 'json'], { files })).stdout);
  expect(schemaErrors('diff.v2', data)).toEqual([]);
  expect(data.corpora).toMatchObject([
    {
      claimSets: 5,
      gained: 0,
      lost: 1,
      changed: 1,
      fullControl: 1,
      examples: [{ line: 4 }, { line: 5 }],
    },
  ]);
});

test.each([
  ['{"iss": 1', ':1: the line is not a JSON object with claims'],
  [`${line({ sub: 'a' })}[]\n`, ':2: the line is not a JSON object with claims'],
  [
    '{"message":"decision","requestId":"a","decision":"accepted"}\n',
    ':1: the line is of a decision log, but is not complete',
  ],
])('a line that is not a claim set ends the command: %j', async (text, message) => {
  const args = ['diff', 'old.yaml', 'new.yaml', '--corpus', corpusFile(text)];
  const { code, stderr } = await runCaptured(args, { files });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('a byte order mark at the start of a corpus is no part of its first line', async () => {
  const text = `\ufeff${line({ sub: 'jane' })}${line({ sub: 'eve' })}`;
  const args = ['diff', 'old.yaml', 'new.yaml', '--corpus', corpusFile(text)];
  const { code, stdout, stderr } = await runCaptured(args, { files });
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain(': 1 of 2 claim sets loses access');
  const later = corpusFile(`${line({ sub: 'jane' })}\ufeff${line({ sub: 'eve' })}`);
  const other = await runCaptured(['diff', 'old.yaml', 'new.yaml', '--corpus', later], { files });
  expect([other.code, other.stderr.includes(':2: the line is not a JSON object')]).toEqual([
    2,
    true,
  ]);
});

test.each(['', '\ufeff', '\n \r\n'])(
  'a corpus without claim sets is a warning: %j',
  async (text) => {
    const corpus = corpusFile(text);
    const args = ['diff', 'old.yaml', 'old.yaml', '--corpus', corpus];
    const warning = 'the corpus has no claim sets, so it shows no changes';
    const { code, stdout, stderr } = await runCaptured(args, { files });
    expect([code, stderr]).toEqual([0, `warning: ${corpus}: ${warning}\n`]);
    expect(stdout).toContain(`${corpus}: ${warning}\n`);
    const data = JSON.parse((await runCaptured([...args, '-o', 'json'], { files })).stdout);
    expect(schemaErrors('diff.v2', data)).toEqual([]);
    expect(data.corpora).toMatchObject([{ claimSets: 0, warning }]);
  },
);

test('shows the progress on a terminal, and removes it', async () => {
  const args = ['diff', 'old.yaml', 'old.yaml', '--corpus', corpusFile(line({ sub: 'a' }))];
  const { stderr } = await runCaptured(args, { files, terminal: { columns: 80 } });
  expect(stderr).toMatch(/\[#{30}\] 100 % {2}1 claim set/);
  expect(stderr.endsWith('\r\u001b[K')).toBe(true);
});

test('a large file gives the same result on several threads', async () => {
  const lines = Array.from({ length: 60_000 }, (_, index) =>
    line({ sub: index % 9999 === 7 ? 'eve' : `user-${index}`, name: 'n'.repeat(40) }),
  );
  const corpus = corpusFile(lines.join(''));
  const options = { ...graphs, threadBytes: 0 };
  const result = await compareCorpus(corpus, options);
  expect(result).toMatchObject({ lines: 60_000, claimSets: 60_000, counts: { lost: 6 } });
  expect(result.examples.lost.map((example) => example.line)).toEqual([
    8, 10_007, 20_006, 30_005, 40_004,
  ]);
  const broken = [...lines.slice(0, 50_000), 'broken\n', ...lines.slice(50_000)].join('');
  expect((await compareCorpus(corpusFile(broken), options)).problem?.line).toBe(50_001);
}, 30_000);

test('blocks consist of whole lines, independently of the chunks', async () => {
  const text = `${line({ sub: 'ä' })}${line({ sub: 'eve' })}${line({ sub: 'last' }).trimEnd()}`;
  const compare = linkLineComparer(graphs.before, graphs.after);
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, 64, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    let result = emptyResult;
    const buffers = new BlockBuffers();
    const options = { buffers, onLongLine: 'throw' } as const;
    for await (const block of wholeLines(bytesOfStream(Readable.from(chunks)), options)) {
      result = addResult(result, compare(block));
      buffers.recycle(block);
    }
    expect(result).toMatchObject({ lines: 3, claimSets: 3, counts: { lost: 1 } });
  }
});

test('a line without an end is an error', async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(0x61);
  const endless = Readable.from(Array.from({ length: 6 }, () => chunk));
  await expect(async () => {
    const options = { buffers: new BlockBuffers(), onLongLine: 'throw' } as const;
    for await (const _ of wholeLines(bytesOfStream(endless), options));
  }).rejects.toThrow(`a line is longer than ${maxLineBytes} bytes`);
});

test('compares the claims of a decision log, and counts what it does not contain', async () => {
  const record = (claims: object): string =>
    JSON.stringify({
      message: 'decision',
      requestId: 'r',
      time: '2026-01-31T12:00:00.000Z',
      graph: 'another configuration',
      decision: 'accepted',
      module: 'jwt',
      username: 'x',
      claims: { iss: 'https://a.example', aud: 'app', exp: 1_800_000_000, ...claims },
    });
  const log = [
    record({ sub: 'eve' }),
    record({ sub: '~string' }),
    record({ sub: 'root', groups: ['~string', '~~tilde'] }),
    // Another credential.
    '{"message":"decision","requestId":"a","time":"2026-01-31T12:00:00Z","graph":"g","module":"anonymous","decision":"accepted"}',
    JSON.stringify({ iss: 'https://a.example', sub: 'eve' }),
  ].join('\n');
  const args = ['diff', 'old.yaml', 'new.yaml', '--corpus', corpusFile(log), '-o', 'json'];
  const { code, stdout } = await runCaptured(args, { files });
  expect(code).toBe(1);
  const data = JSON.parse(stdout);
  expect(schemaErrors('diff.v2', data)).toEqual([]);
  const [corpus] = data.corpora;
  expect(corpus).toMatchObject({
    claimSets: 4,
    gained: 0,
    lost: 2,
    changed: 1,
    undecided: 1,
    skipped: 1,
  });
  expect(data.summary).toContain('.jsonl: 1 decision was skipped: no JWT authenticator made it');
  const changed = corpus.examples.find(({ kind }: { kind: string }) => kind === 'changed');
  expect(changed).toMatchObject({
    line: 3,
    details: [
      'group oidc:<groups[0]> is lost',
      'group oidc:~tilde is lost',
      'group <groups[0]> is gained',
      'group ~tilde is gained',
    ],
  });
});
