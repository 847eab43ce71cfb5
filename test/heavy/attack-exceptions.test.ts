/**
 * The rows of the attack corpus that we fail on purpose: kube-apiserver with RBAC answers them as we
 * do. Without the program it fails, and says how to build it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { exchange, type Target } from '../attacks/lib/net.mjs';
import {
  type KubeApiserver,
  kubeApiserverProgram,
  startKubeApiserver,
} from '../support/kube-apiserver.ts';

interface Exception {
  readonly id: string;
  readonly got: string;
}

const { exceptions } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../attacks/exceptions.json'), 'utf8'),
) as { readonly exceptions: readonly Exception[] };
const answerOf = (id: string) => Number(exceptions.find((row) => row.id === id)?.got);

const program = kubeApiserverProgram();
const group = 'system:unauthenticated';
const authority = makeCert({ subject: [['CN', 'clients']], ca: true });
const certificateOf = (...groups: readonly string[]) =>
  makeCert({ subject: [...groups.map((name) => ['O', name] as const), ['CN', 'alex']] }, authority);

test('two rows are excepted', () => {
  expect(exceptions.map(({ id }) => id)).toEqual(['HT-141', 'CE-046']);
});

describe('kube-apiserver', () => {
  const bundle = join(tmpdir(), `clients-${process.pid}.pem`);
  let server: KubeApiserver;
  let target: Target;
  /** The status of a SelfSubjectReview. */
  const review = async (headers: readonly string[], certificate?: ReturnType<typeof makeCert>) => {
    const body = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
    const head = [
      'POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      ...headers,
    ];
    const shown =
      certificate === undefined ? {} : { cert: certificate.pem, key: certificate.keyPem };
    const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
    return (await exchange(target, bytes, shown)).status;
  };

  beforeAll(async () => {
    writeFileSync(bundle, authority.pem);
    server = await startKubeApiserver(program, [`--client-ca-file=${bundle}`]);
    target = {
      host: '127.0.0.1',
      port: Number(new URL(server.origin).port),
      ca: server.certificateAuthority,
    };
    // Ready when the bootstrap roles are bound.
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await review([], certificateOf('team'))) === 201) break;
      await pause(200);
    }
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    rmSync(bundle, { force: true });
  });

  test('the controls may review themselves', async () => {
    const headers = [`Authorization: Bearer ${server.token}`, 'Impersonate-User: alex'];
    expect(await review(headers)).toBe(201);
    expect(await review([], certificateOf('team'))).toBe(201);
  });

  test('HT-141', async () => {
    const headers = [
      `Authorization: Bearer ${server.token}`,
      'Impersonate-User: alex',
      `Impersonate-Group: ${group}`,
    ];
    expect(await review(headers)).toBe(answerOf('HT-141'));
  });

  test('CE-046', async () => {
    expect(await review([], certificateOf(group))).toBe(answerOf('CE-046'));
  });
});
