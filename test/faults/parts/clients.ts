/** Controls the process of the clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromClient, Load, ToClient } from './client-messages.ts';
import type { Question, Tally } from './questions.ts';

export interface Clients {
  ask(questions: readonly Question[]): void;
  /** Returns the tally since the last call. */
  tally(): Promise<Tally>;
  /** Completes open requests and ends the process. */
  stop(): Promise<Tally>;
}

const main = join(import.meta.dirname, 'client-main.ts');

/** Starts the clients. */
export const startClients = async (load: Load): Promise<Clients> => {
  const child = fork(main, {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const send = (message: ToClient): void => {
    child.send(message);
  };
  const request = async (message: ToClient): Promise<Tally> => {
    send(message);
    const [answer]: unknown[] = await once(child, 'message');
    const said = answer as FromClient;
    if (said.kind !== 'tally') throw new Error('no tally');
    return said.tally;
  };
  send({ kind: 'load', load });
  await once(child, 'message');
  return {
    ask: (questions) => send({ kind: 'questions', questions }),
    tally: () => request({ kind: 'tally' }),
    async stop() {
      const tally = await request({ kind: 'stop' });
      child.kill();
      return tally;
    },
  };
};
