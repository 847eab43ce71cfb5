/** The process of the visitors, from outside. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Issuer } from './peer.ts';
import type { FromVisitors, ToVisitors, Visited } from './visitors-messages.ts';

export interface Visitors {
  /** Asks once with each of `count` tokens from the one of that number on. */
  visit(port: number, from: number, count: number): Promise<Visited>;
  end(): void;
}

const main = join(import.meta.dirname, 'visitors-main.ts');

/** The issuer publishes their key, and no other. So many of the first tokens are kept. */
export const startVisitors = async (
  issuer: Issuer,
  { keep }: { readonly keep: number },
): Promise<Visitors> => {
  const child = fork(main, {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ask = async (message: ToVisitors): Promise<FromVisitors> => {
    child.send(message);
    const [told]: unknown[] = await once(child, 'message');
    return told as FromVisitors;
  };
  const started = await ask({ kind: 'start', issuer: issuer.url, keep });
  if (started.kind !== 'key') throw new Error('the visitors have no key');
  await issuer.publish([started]);
  return {
    async visit(port, from, count) {
      const answer = await ask({ kind: 'visit', port, from, count });
      if (answer.kind !== 'visited') throw new Error('nobody was there');
      return answer.visited;
    },
    end: () => child.kill('SIGKILL'),
  };
};
