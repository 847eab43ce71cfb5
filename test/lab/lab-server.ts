/** AuthGraph as a process with the flags of the lab. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
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

/** Settles when `/readyz` returns 200. */
export const startLabServer = async ({
  flags,
  authorityPem,
}: LabServerOptions): Promise<LabServer> => {
  const port = await freePort();
  const serverFlags = [
    ...['--bind-address=127.0.0.1', `--secure-port=${port}`, '--store=memory'],
    // It is compared with an API server without a controller manager.
    '--controllers=*,token-cleaner-controller,-serviceaccount-token-controller',
  ];
  const child = spawn(process.execPath, [program, 'serve', ...flags, ...serverFlags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const ask = askServer(port, authorityPem);
  await untilReady(ask, () => (child.exitCode === null ? undefined : stderr));
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

/** Returns a function that sends one request on each connection. */
export const askServer =
  (port: number, authorityPem: string): LabServer['ask'] =>
  (bytes, certificate) =>
    rawExchange(
      { port, authorityPem, ...(certificate === undefined ? {} : { tls: certificate }) },
      bytes,
    );

const maxAttempts = 1_200;
const retryMs = 50;

const readyzRequest = Buffer.from(
  'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
);

/** Repeats a request until its response is 200; throws if the server has exited. */
export const untilReady = async (
  ask: LabServer['ask'] | (() => Promise<{ readonly status: number | undefined }>),
  exitReason: () => string | undefined = () => undefined,
): Promise<void> => {
  for (let count = 0; count < maxAttempts; count += 1) {
    const reason = exitReason();
    if (reason !== undefined) throw new Error(`the server exited: ${reason}`);
    if ((await ask(readyzRequest, undefined)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  throw new Error(`the server is not ready: ${exitReason() ?? 'no output'}`);
};
