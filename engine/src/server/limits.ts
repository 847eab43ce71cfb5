/** The limits of the listener and of bodies; each has a row in docs/limits.md. */

export const bodyLimits = {
  /** The real server's limit of a request body. */
  bytes: 3 * 1024 * 1024,
  /** Nested objects and arrays; the real server allows 10 000. */
  depth: 64,
} as const;

export const headerLimits = {
  /** All header fields of one request together; Go's default. */
  bytes: 1024 * 1024,
  fields: 1000,
  /** Characters of a head that an HTTP/2 connection keeps, to know the next one by it. */
  kept: 8 * 1024,
} as const;

export const connectionLimits = {
  handshakeMs: 10_000,
  /** Silence after which the system asks whether a client is still there. */
  keepAliveMs: 15_000,
  /** Time for a request's header fields to arrive. */
  headersMs: 32_000,
  /** Time for a whole request to arrive. */
  requestMs: 60_000,
  idleMs: 90_000,
  concurrentStreams: 100,
  /** Streams that a client may reset in one burst, and a second afterwards. */
  resetBurst: 100,
  resetRate: 16,
  connections: 16_384,
} as const;

export const http2Limits = {
  /** Bytes of bodies that a client may send before anybody has read of them: of a stream, and of all. */
  streamWindow: 256 * 1024,
  connectionWindow: 1024 * 1024,
  /** Bytes that wait for the socket; a client that leaves more of them is not read. */
  unsentBytes: 256 * 1024,
  /** Bytes of answers that wait for the windows of a client; with more of them nothing new is read. */
  waitingBytes: 64 * 1024 * 1024,
  /** Of the table of HPACK; what each connection begins with. */
  tableBytes: 4096,
  /** Bytes of one head as it is sent: room to say of a head that is too large that it is. */
  blockBytes: 1280 * 1024,
  /** Frames of one head. */
  blockFrames: 128,
  /** How long the rest of a body is taken that nobody wants. */
  lingerMs: 500,
  /** How long a client has to read the last of its answers and to go by itself. */
  goodbyeMs: 5_000,
  /** Frames that ask for nothing: at once, and a second afterwards. */
  idleBurst: 2_000,
  idleRate: 200,
} as const;

export const requestLimits = {
  /** Requests at work in this process; one more gets 503 with Retry-After. */
  inFlight: 4096,
  retryAfterSeconds: 1,
  /**
   * Until a request is answered. The real server gives a creation so long, body not
   * included, and any request its `--request-timeout`, which is a minute.
   */
  deadlineMs: 34_000,
} as const;

export const webhookLimits = {
  /** An API server is answered by then, and asks again later what was not decided. */
  answerMs: 5_000,
} as const;

export const watchLimits = {
  /** Watches that are open at once; one more gets 503. */
  open: 1024,
  /** Without `timeoutSeconds`: at least so long, and up to as much again by chance. */
  leastMs: 1_800_000,
  /** Whatever `timeoutSeconds` says. */
  mostMs: 86_400_000,
  /** Between two bookmarks for clients that asked for them. */
  bookmarkMs: 60_000,
} as const;

export const listLimits = {
  /** Lists whose later pages can still be asked for. */
  snapshots: 64,
  /** Objects of a list that is made at once; a longer one waits for a turn of its own. */
  quick: 200,
  snapshotMs: 300_000,
} as const;

export const rememberedTexts = {
  /** Texts of one kind (targets, Accept fields) of which is remembered what they mean. */
  count: 256,
  /** A longer one is read anew each time. */
  length: 256,
} as const;
