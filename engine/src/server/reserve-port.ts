/**
 * Binds the port of the server at the start, before anything is opened or written, so that a port
 * that is in use is reported with all other problems. Connections that arrive before the server
 * accepts requests wait, and are passed to it then.
 */
import { once } from 'node:events';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import type { FlagProblem } from '../flags/flag.ts';
import type { ServeOptions } from './flags/serve-options.ts';
import { connectionLimits } from './limits.ts';

export interface ReservedPort {
  /** Passes the port and the waiting connections to a server, which then owns them. */
  handTo(server: NetServer): Promise<void>;
  /** Closes the port and the waiting connections; does nothing after `handTo`. */
  close(): Promise<void>;
}

/** The flags that determine the port; the port 0 selects any free one. */
type ListenOptions = Pick<ServeOptions, 'bindAddress' | 'securePort'>;

export type PortReservation =
  | { readonly kind: 'reserved'; readonly port: ReservedPort }
  /** The message of kube-apiserver, and how to fix the problem. */
  | { readonly kind: 'failed'; readonly problem: FlagProblem };

/** Binds the port and starts to listen. */
export const reservePort = async (options: ListenOptions): Promise<PortReservation> => {
  const waiting = new Set<Socket>();
  const reserved = createServer({ pauseOnConnect: true }, (socket) => {
    waiting.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => waiting.delete(socket));
  });
  reserved.maxConnections = connectionLimits.waitingAtStart;
  reserved.listen(options.securePort, options.bindAddress);
  try {
    await once(reserved, 'listening');
  } catch (cause) {
    return { kind: 'failed', problem: listenProblem(cause, options) };
  }
  return { kind: 'reserved', port: reservationOf(reserved, waiting) };
};

const reservationOf = (reserved: NetServer, waiting: Set<Socket>): ReservedPort => {
  let isOpen = true;
  return {
    async handTo(server) {
      isOpen = false;
      // Node listens on the bound handle of another server.
      server.listen(reserved);
      await once(server, 'listening');
      for (const socket of waiting) server.emit('connection', socket);
      waiting.clear();
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      const closed = once(reserved, 'close');
      reserved.close();
      for (const socket of waiting) socket.destroy();
      await closed;
    },
  };
};

const listenProblem = (
  cause: unknown,
  { bindAddress: address, securePort: port }: ListenOptions,
): FlagProblem => {
  const target = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  const known = listenErrors.get(codeOf(cause));
  const reason = known?.reason ?? (cause instanceof Error ? cause.message : String(cause));
  return {
    message: `failed to create listener: failed to listen on ${target}: listen tcp ${target}: bind: ${reason}`,
    help: known?.help(port) ?? '',
  };
};

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : '';

interface ListenError {
  /** The reason as Go prints it. */
  readonly reason: string;
  readonly help: (port: number) => string;
}

/** The command that lists the process that listens on a port. */
const findProcess = (port: number): string => {
  if (process.platform === 'linux') return `ss -ltnp 'sport = :${port}'`;
  return process.platform === 'win32'
    ? `netstat -ano | findstr :${port}`
    : `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
};

const listenErrors: ReadonlyMap<string, ListenError> = new Map([
  [
    'EADDRINUSE',
    {
      reason: 'address already in use',
      help: (port: number) =>
        `Another process listens on port ${port}. Find it with: ${findProcess(port)} (as root), or select another port with --secure-port.`,
    },
  ],
  [
    'EACCES',
    {
      reason: 'permission denied',
      help: (port: number) =>
        `Port ${port} needs a privilege that this process does not have (CAP_NET_BIND_SERVICE on Linux). Select a port above 1023 with --secure-port.`,
    },
  ],
  [
    'EADDRNOTAVAIL',
    {
      reason: 'cannot assign requested address',
      help: () => 'No interface of this machine has the address. Correct --bind-address.',
    },
  ],
]);
