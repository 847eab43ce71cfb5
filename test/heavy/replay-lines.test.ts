/** `authgraph replay` of many lines, in a heap that could not hold them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const lines = Number(process.env.REPLAY_LINES ?? 500_000);
const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const { path: folder, write } = temporaryFolder();

const configuration = (prefix: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://idp.example.com, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: '${prefix}' }
`;

/** A line of about 300 bytes; every tenth one is not JSON. */
const lineOf = (index: number): string =>
  index % 10 === 9
    ? `broken ${index}\n`
    : `${JSON.stringify({
        time: '2026-01-31T12:00:00.000Z',
        requestId: `request-${index}`,
        decision: 'accepted',
        module: 'jwt',
        username: `oidc:user-${index}`,
        groups: ['system:authenticated'],
        extra: [],
        claims: {
          iss: 'https://idp.example.com',
          aud: 'app',
          exp: 1_900_000_000,
          sub: `user-${index}`,
          [`claim-${index}`]: '~string',
        },
        graph: `graph-${index}`,
        message: 'decision',
      })}\n`;

test('the memory does not depend on the number of lines', { timeout: 3_600_000 }, async () => {
  write('new.yaml', configuration('people:'));
  const args = ['replay', '-', '--config', 'new.yaml', '-o', 'json'];
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=128', '--conditions=source', main, ...args],
    { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  for (let index = 0; index < lines; index += 1000) {
    const block = Array.from({ length: 1000 }, (_, at) => lineOf(index + at)).join('');
    if (!child.stdin.write(block)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  await once(child, 'close');
  expect(JSON.parse(output)).toMatchObject({
    lines,
    decisions: lines * 0.9,
    changed: lines * 0.9,
    malformed: { count: lines / 10 },
  });
});
