/** The sizing table of docs/limits.md is made from the function that divides the memory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryBudget, weights } from '../../engine/src/server/memory/memory-budget.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8');
const mebibyte = 2 ** 20;
/** Of one cached decision of a user with a few groups. */
const usualDecisionBytes = 1_536;

const megabytes = (bytes: number): string => `${(bytes / mebibyte).toFixed(1)} MiB`;
const number = (value: number): string => value.toLocaleString('en-US');

const rows = [256, 512, 1024, 2048, 4096].map((size) => {
  const budget = memoryBudget(size * mebibyte);
  const cells = [
    `${number(size)} MiB`,
    megabytes(budget.heapBytes),
    `${number(budget.connections)}, ${number(Math.floor(budget.connectionBytes / weights.handshake))} of them in a handshake`,
    megabytes(budget.headerBytes),
    megabytes(budget.bodyBytes),
    number(budget.bodyValues),
    megabytes(budget.responseBytes),
    `${megabytes(budget.cacheBytes)}, about ${number(Math.min(32_768, Math.floor(budget.cacheBytes / usualDecisionBytes)))} decisions`,
    megabytes(budget.pendingTokenBytes),
    number(Math.min(4_096, budget.waitingRequests)),
    number(Math.min(1_024, budget.watches)),
  ];
  return `| ${cells.join(' | ')} |`;
});

const table = [
  '| memory limit | V8 heap | connections | header fields | bodies | values of one body | unread responses | each cache | waiting tokens | waiting requests | watches |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
  ...rows,
].join('\n');

test('docs/limits.md has the table', () => {
  expect(page).toContain(table);
});

test('a usual decision is not larger than the page says', async () => {
  const { decisionBytes } = await import('../../engine/src/model/decision-bytes.ts');
  const user = {
    username: 'https://issuer.example#jane.doe@example.com',
    uid: '00000000-0000-0000-0000-000000000000',
    groups: ['system:authenticated', 'developers', 'platform-admins'],
    extra: new Map([['authentication.kubernetes.io/credential-id', ['JTI=0123456789']]]),
  };
  const decision = { kind: 'accepted', user, audiences: ['api'], by: 'jwt' } as const;
  expect(decisionBytes(decision)).toBeLessThanOrEqual(usualDecisionBytes);
});
