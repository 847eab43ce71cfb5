/** The program itself with the flags of the lab, as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type RawAnswer, rawExchange } from '../support/raw-exchange.ts';
import type { ClientCertificate } from './credentials.ts';

export interface LabServer {
  readonly port: number;
  ask(bytes: Uint8Array, certificate: ClientCertificate | undefined): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface LabServerOptions {
  readonly flags: readonly string[];
  readonly authorityPem: string;
}

const program = join(import.meta.dirname, '../../engine/src/cli/main.ts');

/** Settles when `/readyz` answers 200. */
export const startLabServer = async ({
  flags,
  authorityPem,
}: LabServerOptions): Promise<LabServer> => {
  const port = await freePort();
  const own = ['--bind-address=127.0.0.1', `--secure-port=${port}`, '--store=memory'];
  const child = spawn(process.execPath, [program, 'serve', ...flags, ...own], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const ask: LabServer['ask'] = (bytes, certificate) =>
    rawExchange(
      { port, authorityPem, ...(certificate === undefined ? {} : { tls: certificate }) },
      bytes,
    );
  await whenReady(child, ask, () => said);
  return {
    port,
    ask,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const looks = 400;
const betweenLooksMs = 50;

const whenReady = async (
  child: ChildProcess,
  ask: LabServer['ask'],
  said: () => string,
): Promise<void> => {
  const look = Buffer.from('GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  for (let count = 0; count < looks; count += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said()}`);
    if ((await ask(look, undefined)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, betweenLooksMs));
  }
  throw new Error(`the server is not ready: ${said()}`);
};
