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
  memoized: 8 * 1024,
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
  /** Requests that an HTTP/1.1 client may have sent without waiting for their answers. */
  pipelinedRequests: 32,
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
  goAwayGraceMs: 5_000,
  /** Frames that ask for nothing: at once, and a second afterwards. */
  idleBurst: 2_000,
  idleRate: 200,
  /** WINDOW_UPDATE frames that need no stream and no DATA. */
  windowUpdatesAtFirst: 5,
  /** WINDOW_UPDATE frames, doubled, for each DATA frame that was sent; Envoy's default. */
  windowUpdatesPerDataFrame: 10,
} as const;

export const fairnessLimits = {
  /** Requests that wait at the same time, of each kind; over it the largest flow loses a place. */
  waitingForAuthentication: 4096,
  waitingForBody: 4096,
  waitingForReview: 4096,
  /** Requests that wait for one of the seats that `--max-requests-inflight` gives. */
  queueLength: 4096,
  /** Writes of users that the store works on at the same time. */
  storeWrites: 16,
  /** Lists of users that are read from the store at the same time. */
  storeLists: 2,
  /** How long they wait before they get a 429; a quarter of the life of a request, as upstream. */
  queueWaitMs: 8_500,
} as const;

/** How the event loop is shared once more work arrives than fits into a turn. */
export const loopLimits = {
  /** Work of one turn; the rest waits for later turns. */
  turnMs: 2,
  /** Pieces of waiting work in one turn, at most. */
  stepsOfTurn: 8,
  /** A piece of work counts at most as `turnMs` and so many times the usual piece of its client. */
  unusualFactor: 4,
  /** Pieces of work that the usual one is the moving average of. */
  usualPieces: 8,
  /** Bytes of a connection that make one piece of work. */
  jobBytes: 2048,
} as const;

export const requestLimits = {
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
  /** Watches that are open at once; one more ends a watch of the user with the most, or gets a 503. */
  open: 1024,
  /** Without `timeoutSeconds`: at least so long, and up to as much again by chance. */
  minMs: 1_800_000,
  /** Whatever `timeoutSeconds` says. */
  maxMs: 86_400_000,
  /** Between two bookmarks for clients that asked for them. */
  bookmarkMs: 60_000,
} as const;

export const listLimits = {
  /** Lists whose later pages can still be asked for. */
  snapshots: 64,
  /** Objects of a list that is made at once; a longer one waits for a turn of its own. */
  immediate: 200,
  snapshotMs: 300_000,
  /** Objects at the start of a watch that are sent in one turn of the event loop. */
  eventsOfTurn: 16,
} as const;

export const memoizedStrings = {
  /** Texts of one kind (targets, Accept fields) of which is remembered what they mean. */
  count: 256,
  /** A longer one is read anew each time. */
  length: 256,
} as const;
