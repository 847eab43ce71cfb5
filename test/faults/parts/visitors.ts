/** Controls the process of the visitors. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Issuer } from './peer.ts';
import type { FromVisitors, ToVisitors, Visited } from './visitors-messages.ts';

export interface Visitors {
  /** Sends one request with each of `count` tokens, starting at the given number. */
  visit(port: number, from: number, count: number): Promise<Visited>;
  end(): void;
}

const main = join(import.meta.dirname, 'visitors-main.ts');

/**
 * Starts the process. The issuer publishes its key and no other; the given number of first tokens
 * is stored.
 */
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
    const [reply]: unknown[] = await once(child, 'message');
    return reply as FromVisitors;
  };
  const started = await ask({ kind: 'start', issuer: issuer.url, keep });
  if (started.kind !== 'key') throw new Error('the visitors have no key');
  await issuer.publish([started]);
  return {
    async visit(port, from, count) {
      const answer = await ask({ kind: 'visit', port, from, count });
      if (answer.kind !== 'visited') throw new Error('no result from the visitors');
      return answer.visited;
    },
    end: () => child.kill('SIGKILL'),
  };
};
