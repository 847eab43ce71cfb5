/**
 * Binds the port of the server at startup, before anything is opened or written, so that a port
 * that is in use is reported with all other problems. Connections that arrive before the server
 * accepts requests wait, and are passed to it then.
 */
import { once } from 'node:events';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import type { FlagProblem } from '../flags/flag.ts';
import type { ServeOptions } from './flags/serve-options.ts';
import { connectionLimits } from './limits.ts';

/** The address and the port on which a server listens. */
export interface ListenAddress {
  readonly address: string;
  readonly port: number;
}

/** A port whose connections a server can get. */
export interface ReservedPort {
  /** Passes the port and the waiting connections to a server, which then owns them. */
  handTo(server: NetServer): Promise<ListenAddress>;
  /** Closes the port and the waiting connections; does nothing after `handTo`. */
  close(): Promise<void>;
}

/** A port that this process listens on. */
export interface BoundPort extends ReservedPort {
  address(): ListenAddress;
  /** Passes each connection, the waiting ones first, to a function. */
  forwardTo(take: (socket: Socket) => void): void;
}

/** The flags that determine the port; the port 0 selects any free one. */
type ListenOptions = Pick<ServeOptions, 'bindAddress' | 'securePort'>;

export type PortReservation =
  | { readonly kind: 'reserved'; readonly port: BoundPort }
  /** The message of kube-apiserver, and how to fix the problem. */
  | { readonly kind: 'failed'; readonly problem: FlagProblem };

/** Binds the port and starts to listen. */
export const reservePort = async (options: ListenOptions): Promise<PortReservation> => {
  const waiting = new Set<Socket>();
  const reserved = createServer(socketOptions, (socket) => {
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

/** The options that a server of Node sets for the connections that it accepts itself. */
const socketOptions = {
  pauseOnConnect: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: connectionLimits.keepAliveMs,
} as const;

const reservationOf = (reserved: NetServer, waiting: Set<Socket>): BoundPort => {
  let isOpen = true;
  return {
    async handTo(server) {
      isOpen = false;
      // Node listens on the bound handle of another server.
      server.listen(reserved);
      await once(server, 'listening');
      for (const socket of waiting) server.emit('connection', socket);
      waiting.clear();
      return addressOf(server);
    },
    forwardTo(take) {
      reserved.removeAllListeners('connection');
      reserved.maxConnections = Number.POSITIVE_INFINITY;
      reserved.on('connection', (socket: Socket) => {
        socket.on('error', () => {});
        take(socket);
      });
      for (const socket of waiting) take(socket);
      waiting.clear();
    },
    address: () => addressOf(reserved),
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

/** Returns where a server listens. */
export const addressOf = (server: NetServer): ListenAddress => {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('unreachable: a TCP listener without an address');
  return address;
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
