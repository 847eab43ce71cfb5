/** Limits of the listener and of request bodies; docs/limits.md lists those that a user can hit. */

export const bodyLimits = {
  /** kube-apiserver's limit for a request body. */
  bytes: 3 * 1024 * 1024,
  /** Nesting of objects and arrays; kube-apiserver allows 10,000. */
  depth: 64,
} as const;

export const headerLimits = {
  /** Bytes of all header fields of a request; Go's default. */
  bytes: 1024 * 1024,
  fields: 1000,
  /** Bytes of one header field, except for those that carry tokens. */
  fieldBytes: 64 * 1024,
  /** Bytes of a request target. */
  targetBytes: 64 * 1024,
  /**
   * Characters of header fields that an HTTP/2 connection retains to recognize an equal request.
   */
  memoized: 8 * 1024,
} as const;

export const connectionLimits = {
  handshakeMs: 10_000,
  /** Idle time after which TCP keep-alive probes the client. */
  keepAliveMs: 15_000,
  /** Time for a request's header fields to arrive. */
  headersMs: 32_000,
  /** Time for a whole request to arrive. */
  requestMs: 60_000,
  idleMs: 90_000,
  concurrentStreams: 100,
  /** Streams that a client may reset at once, and per second afterwards. */
  resetBurst: 100,
  resetRate: 16,
  connections: 16_384,
  /** Connections that wait while the server starts; further ones are closed. */
  waitingAtStart: 64,
  /** Requests that an HTTP/1.1 client may pipeline. */
  pipelinedRequests: 32,
} as const;

export const http2Limits = {
  /**
   * Bytes of bodies that a client may send before the handler reads them: for a stream, and for the
   * connection.
   */
  streamWindow: 256 * 1024,
  connectionWindow: 1024 * 1024,
  /** Bytes that wait for the socket; a client that leaves more of them unread is not read. */
  unsentBytes: 256 * 1024,
  /**
   * Bytes of responses that wait for the client's flow-control windows; beyond it new streams are
   * refused.
   */
  waitingBytes: 64 * 1024 * 1024,
  /** Size of the HPACK dynamic table; the initial value of each connection. */
  tableBytes: 4096,
  /**
   * Bytes of one encoded header block: larger than `headerLimits.bytes`, so that a 431 can be sent.
   */
  blockBytes: 1280 * 1024,
  /** Frames of one header block. */
  blockFrames: 128,
  /** Time for which the rest of an unwanted body is accepted and discarded. */
  lingerMs: 500,
  /** Time that a client has to read its last responses and to close the connection after GOAWAY. */
  goAwayGraceMs: 5_000,
  /** Frames that have no effect: at once, and per second afterwards. */
  idleBurst: 2_000,
  idleRate: 200,
  /** WINDOW_UPDATE frames that are allowed without streams and DATA. */
  windowUpdatesAtFirst: 5,
  /**
   * WINDOW_UPDATE frames, doubled, that are allowed for each DATA frame that was sent; Envoy's
   * default.
   */
  windowUpdatesPerDataFrame: 10,
} as const;

export const fairnessLimits = {
  /** Requests of each kind that wait at the same time; beyond it the largest flow loses a place. */
  waitingForAuthentication: 4096,
  waitingForBody: 4096,
  waitingForReview: 4096,
  /** Requests that wait for one of the seats of `--max-requests-inflight`. */
  queueLength: 4096,
  /** Writes of users that the store executes at the same time. */
  storeWrites: 16,
  /** Lists of users that are read from the store at the same time. */
  storeLists: 2,
  /**
   * Time that a request waits for a seat before it gets a 429; a quarter of its deadline, as
   * upstream.
   */
  queueWaitMs: 8_500,
} as const;

/** Limits that apply when more work arrives than fits into one turn of the event loop. */
export const loopLimits = {
  /** Work in one turn; the rest waits for later turns. */
  turnMs: 2,
  /** Pieces of waiting work that run in one turn. */
  stepsOfTurn: 8,
  /**
   * The most that a single piece of work counts is `turnMs` plus this many times the usual piece of
   * its client.
   */
  unusualFactor: 4,
  /** Length of the moving average that gives the usual piece of work. */
  usualPieces: 8,
  /** Bytes of a connection that are one piece of work. */
  jobBytes: 2048,
} as const;

export const requestLimits = {
  retryAfterSeconds: 1,
  /**
   * Time to answer a request. kube-apiserver allows this long for a creation, without the body, and
   * `--request-timeout` (one minute) for any request.
   */
  deadlineMs: 34_000,
} as const;

export const webhookLimits = {
  /**
   * An API server gets its response within this time; undecided reviews fail and are retried later.
   */
  answerMs: 5_000,
} as const;

export const watchLimits = {
  /** Open watches; one more ends a watch of the user with the most of them, or gets a 503. */
  open: 1024,
  /** Minimum duration without `timeoutSeconds`; up to as much again is added at random. */
  minMs: 1_800_000,
  /** Maximum duration, whatever `timeoutSeconds` requests. */
  maxMs: 86_400_000,
  /** Time between two bookmarks for clients that requested bookmarks. */
  bookmarkMs: 60_000,
} as const;

export const listLimits = {
  /** Lists whose later pages can still be requested. */
  snapshots: 64,
  /** Objects of a list that is created immediately; a longer list waits for a turn of its own. */
  immediate: 200,
  snapshotMs: 300_000,
  /** Objects at the start of a watch that are sent in one turn of the event loop. */
  eventsOfTurn: 16,
} as const;

export const memoizedStrings = {
  /** Strings of each kind (targets, Accept fields) whose parsed value is cached. */
  count: 256,
  /** Longer strings are parsed each time. */
  length: 256,
} as const;
