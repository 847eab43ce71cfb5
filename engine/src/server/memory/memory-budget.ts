/**
 * Divides the memory of the process between V8's heap and the bytes that clients can make the
 * server hold. Everything derives from two numbers, the memory limit and the heap limit;
 * docs/limits.md lists the result for common sizes.
 */
import { connectionLimits, headerLimits } from '../limits.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Bytes of each kind that the process may hold for all of its clients. */
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
  /** Decisions in the token cache and in the cache of webhook responses, each. */
  readonly cacheBytes: number;
  /** Tokens whose validation waits for an issuer or a webhook. */
  readonly pendingTokenBytes: number;
  /** Requests of each kind that wait at the same time. */
  readonly waitingRequests: number;
  /** Open watches. */
  readonly watches: number;
  /** Lists whose later pages can still be requested. */
  readonly snapshotBytes: number;
  /** Log lines of each log that wait for a slow reader. */
  readonly logCharacters: number;
  /** Values of one body: parsed, a short value takes many times its bytes. */
  readonly bodyValues: number;
}

/**
 * Memory of the program itself; off the heap it includes buffers that wait for a collection, and
 * what ten minutes of all floods leave behind in the allocator.
 */
const programHeapBytes = 40 * mebibyte;
const programNativeBytes = 84 * mebibyte;

/** The part of the remaining memory that the heap gets. */
const heapFraction = 0.4;

/** Node's own default is never larger. */
const maxHeapBytes = 4096 * mebibyte;

/** Shares of the heap, without what the program itself needs. */
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
 * Shares of the memory outside the heap. The rest covers the young generation, fragmentation,
 * garbage between two collections and the pages of the program itself.
 */
const nativeShares = {
  connections: 0.35,
  bodies: 0.14,
  responses: 0.14,
} as const;

/** Memory that a single connection, request or value takes, measured and rounded up. */
export const weights = {
  /** An open connection, off the heap and on it. */
  connection: 96 * kibibyte,
  connectionHeap: 24 * kibibyte,
  /** A handshake: OpenSSL allocates space for the message that its header announces. */
  handshake: 256 * kibibyte,
  /** Each byte of a client's certificate chain, which OpenSSL holds in parsed form. */
  certificateByte: 8,
  /** A request that waits, apart from its header fields and its body. */
  request: 16 * kibibyte,
  watch: 32 * kibibyte,
  /** An open HTTP/2 stream and one of its header fields, apart from their strings. */
  stream: 4 * kibibyte,
  field: 96,
  /** A value of a parsed body. */
  bodyValue: 512,
} as const;

/**
 * Values of one body, however much memory there is: each of them can cause several errors in the
 * response.
 */
const maxBodyValues = 65_536;

/** Log lines that wait for a slow reader, however much memory there is. */
const maxLogCharacters = 16 * mebibyte;

/** Divides the memory; `heapBytes` is V8's limit if it is already set. */
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
    bodyValues: Math.min(
      maxBodyValues,
      Math.floor((heap * heapShares.parsedBody) / weights.bodyValue),
    ),
  };
};

/** Returns V8's heap limit for a memory limit. */
export const heapLimitFor = (memoryBytes: number): number => {
  const spare = Math.max(memoryBytes - programHeapBytes - programNativeBytes, 0);
  const bytes = programHeapBytes + Math.floor(spare * heapFraction);
  return Math.min(maxHeapBytes, bytes - (bytes % mebibyte));
};

/**
 * Returns flags of Node that set the heap limit, including the young generation (three
 * semi-spaces), and expose the garbage collector.
 */
export const heapFlags = (memoryBytes: number): readonly string[] => {
  const heapMegabytes = heapLimitFor(memoryBytes) / mebibyte;
  const semiSpaceMegabytes = semiSpaceFor(memoryBytes) / mebibyte;
  return [
    `--max-old-space-size=${heapMegabytes - 3 * semiSpaceMegabytes}`,
    `--max-semi-space-size=${semiSpaceMegabytes}`,
    '--expose-gc',
    '--disable-sigusr1',
  ];
};

/** Returns a power of two, which is Node's default from a gibibyte on. */
const semiSpaceFor = (memoryBytes: number): number => {
  if (memoryBytes >= 1024 * mebibyte) return 16 * mebibyte;
  return (memoryBytes >= 512 * mebibyte ? 8 : 4) * mebibyte;
};

/** The most memory that the header fields of one HTTP/1.1 connection can take. */
export const headerReserve = 2 * headerLimits.bytes + 256 * kibibyte;
