/**
 * How the memory of the process is divided: V8's heap, and the bytes that clients can make the server
 * hold. Everything derives from two numbers, the memory limit and the heap limit; docs/limits.md prints
 * the result for common sizes.
 */
import { connectionLimits, headerLimits } from '../limits.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Bytes of each kind that the process may hold for its clients, all clients together. */
export interface MemoryBudget {
  /** The memory limit that the budget derives from. */
  readonly memoryBytes: number;
  /** V8's heap limit. */
  readonly heapBytes: number;
  /** Open connections. */
  readonly connections: number;
  /** TLS state and objects of connections; a handshake counts more than an open connection. */
  readonly connectionBytes: number;
  /** Header fields that are arriving, and those of requests that are not answered yet. */
  readonly headerBytes: number;
  /** Request bodies that are arriving or being processed. */
  readonly bodyBytes: number;
  /** Responses that clients have not read yet. */
  readonly responseBytes: number;
  /** Decisions in the token cache and in the cache of webhook replies, each. */
  readonly cacheBytes: number;
  /** Tokens whose check waits for an issuer or a webhook. */
  readonly pendingTokenBytes: number;
  /** Requests that wait at the same time, of each kind. */
  readonly waitingRequests: number;
  /** Open watches. */
  readonly watches: number;
  /** Lists whose later pages can still be requested. */
  readonly snapshotBytes: number;
  /** Log lines that wait for a slow reader, of each log. */
  readonly logCharacters: number;
  /** Values of one body: parsed, a short value takes many times its bytes. */
  readonly bodyValues: number;
}

/**
 * What the program needs for itself; off the heap with buffers that wait for a collection, and with what ten minutes
 * of all floods together leave behind in the allocator.
 */
const programHeapBytes = 40 * mebibyte;
const programNativeBytes = 84 * mebibyte;

/** The part of the memory behind the program's own needs that the heap gets. */
const heapFraction = 0.4;

/** Node chooses a larger heap on no machine. */
const maxHeapBytes = 4096 * mebibyte;

/** Shares of the heap that the program does not need for itself. */
const heapShares = {
  connections: 0.2,
  headers: 0.15,
  requests: 0.08,
  caches: 0.05,
  watches: 0.05,
  snapshots: 0.04,
  pendingTokens: 0.08,
  logs: 0.04,
  parsedBody: 0.3,
} as const;

/**
 * Shares of the memory outside the heap. The rest covers the young generation, fragmentation, garbage
 * between two collections and the pages of the program itself.
 */
const nativeShares = {
  connections: 0.35,
  bodies: 0.14,
  responses: 0.14,
} as const;

/** Memory that one of each takes, measured and rounded up. */
export const weights = {
  /** An open connection, off the heap and on it. */
  connection: 96 * kibibyte,
  connectionHeap: 24 * kibibyte,
  /** A handshake: OpenSSL reserves room for the message that its header announces. */
  handshake: 256 * kibibyte,
  /** Each byte of a client's certificate chain, which OpenSSL keeps parsed. */
  certificateByte: 8,
  /** A request that waits, apart from its header fields and its body. */
  request: 16 * kibibyte,
  watch: 32 * kibibyte,
  /** An open HTTP/2 stream and one of its header fields, apart from their strings. */
  stream: 4 * kibibyte,
  field: 96,
  /** A value of a parsed body. */
  bodyValue: 128,
} as const;

/** Log lines that wait for a slow reader, however much memory there is. */
const maxLogCharacters = 16 * mebibyte;

/** Divides the memory; `heapBytes` is V8's limit where it is set already. */
export const memoryBudget = (
  memoryBytes: number,
  heapBytes: number = heapLimitFor(memoryBytes),
): MemoryBudget => {
  const heap = Math.max(heapBytes - programHeapBytes, 8 * mebibyte);
  const native = Math.max(memoryBytes - heapBytes - programNativeBytes, 16 * mebibyte);
  const connectionBytes = Math.floor(native * nativeShares.connections);
  const connections = Math.min(
    connectionLimits.connections,
    Math.floor(connectionBytes / weights.connection),
    Math.floor((heap * heapShares.connections) / weights.connectionHeap),
  );
  return {
    memoryBytes,
    heapBytes,
    connections,
    connectionBytes,
    headerBytes: Math.floor(heap * heapShares.headers),
    bodyBytes: Math.floor(native * nativeShares.bodies),
    responseBytes: Math.floor(native * nativeShares.responses),
    cacheBytes: Math.floor(heap * heapShares.caches),
    pendingTokenBytes: Math.floor(heap * heapShares.pendingTokens),
    waitingRequests: Math.floor((heap * heapShares.requests) / weights.request),
    watches: Math.floor((heap * heapShares.watches) / weights.watch),
    snapshotBytes: Math.floor(heap * heapShares.snapshots),
    logCharacters: Math.min(maxLogCharacters, Math.floor((heap * heapShares.logs) / 2)),
    bodyValues: Math.floor((heap * heapShares.parsedBody) / weights.bodyValue),
  };
};

/** V8's heap limit for a memory limit. */
export const heapLimitFor = (memoryBytes: number): number => {
  const spare = Math.max(memoryBytes - programHeapBytes - programNativeBytes, 0);
  const bytes = programHeapBytes + Math.floor(spare * heapFraction);
  return Math.min(maxHeapBytes, bytes - (bytes % mebibyte));
};

/**
 * Flags of Node that set the heap limit, the young generation (three semi-spaces) included, and let the
 * program collect its buffers.
 */
export const heapFlags = (memoryBytes: number): readonly string[] => {
  const heapMegabytes = heapLimitFor(memoryBytes) / mebibyte;
  const semiSpaceMegabytes = semiSpaceFor(memoryBytes) / mebibyte;
  return [
    `--max-old-space-size=${heapMegabytes - 3 * semiSpaceMegabytes}`,
    `--max-semi-space-size=${semiSpaceMegabytes}`,
    '--expose-gc',
  ];
};

/** A power of two; Node's own default from a gibibyte on. */
const semiSpaceFor = (memoryBytes: number): number => {
  if (memoryBytes >= 1024 * mebibyte) return 16 * mebibyte;
  return (memoryBytes >= 512 * mebibyte ? 8 : 4) * mebibyte;
};

/** Memory that the header fields of one HTTP/1.1 connection can take, whatever they are. */
export const headerReserve = 2 * headerLimits.bytes + 256 * kibibyte;
