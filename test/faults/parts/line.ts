/** Controls the process of a proxy. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Quality, ToLine } from './line-messages.ts';

export interface Line {
  /** Connections to this port reach the peer. */
  readonly port: number;
  to(port: number): Promise<void>;
  /** Applies to new and open connections. */
  become(quality: Quality): Promise<void>;
  end(): void;
}

const main = join(import.meta.dirname, 'line-main.ts');

export const startLine = async (): Promise<Line> => {
  const child = fork(main, {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message]: unknown[] = await once(child, 'message');
  const { port } = message as { readonly port: number };
  const send = async (message: ToLine): Promise<void> => {
    child.send(message);
    await once(child, 'message');
  };
  return {
    port,
    to: (target) => send({ kind: 'to', port: target }),
    become: (quality) => send({ kind: 'quality', quality }),
    end: () => child.kill('SIGKILL'),
  };
};
