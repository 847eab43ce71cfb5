/** The process of a line, from outside. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Quality, ToLine } from './line-messages.ts';

export interface Line {
  /** Who connects here gets to the peer. */
  readonly port: number;
  to(port: number): Promise<void>;
  /** From now on, for connections that are open too. */
  become(quality: Quality): Promise<void>;
  end(): void;
}

const main = join(import.meta.dirname, 'line-main.ts');

export const startLine = async (): Promise<Line> => {
  const child = fork(main, {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [told]: unknown[] = await once(child, 'message');
  const { port } = told as { readonly port: number };
  const tell = async (message: ToLine): Promise<void> => {
    child.send(message);
    await once(child, 'message');
  };
  return {
    port,
    to: (target) => tell({ kind: 'to', port: target }),
    become: (quality) => tell({ kind: 'quality', quality }),
    end: () => child.kill('SIGKILL'),
  };
};
