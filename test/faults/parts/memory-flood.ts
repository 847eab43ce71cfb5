/** Controls the process that floods a server. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FloodKind, FromFlood, Tally, ToFlood } from './memory-flood-messages.ts';
import type { Issuer } from './peer.ts';

export interface Flood {
  /** Runs all of these kinds at the same time. */
  run(
    floods: readonly FloodKind[],
    to: { readonly port: number; readonly seconds: number; readonly token: string },
  ): Promise<Tally>;
  end(): void;
}

const main = join(import.meta.dirname, 'memory-flood-main.ts');

/** Starts the flood. The issuer publishes the key of the valid tokens, and no other. */
export const startFlood = async (issuer: Issuer): Promise<Flood> => {
  const child = fork(main, {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const send = async (message: ToFlood): Promise<FromFlood> => {
    child.send(message);
    const [answer]: unknown[] = await once(child, 'message');
    return answer as FromFlood;
  };
  const reply = await send({ kind: 'start', issuer: issuer.url });
  if (reply.kind !== 'key') throw new Error('the flood has no key');
  await issuer.publish([reply]);
  return {
    async run(floods, { port, seconds, token }) {
      const answer = await send({ kind: 'flood', floods, port, seconds, token });
      if (answer.kind !== 'flooded') throw new Error('the flood was not counted');
      return answer.tally;
    },
    end: () => child.kill('SIGKILL'),
  };
};
