/**
 * Our own requests, beside those of the protocol: plain data, shared with clients. None ever carries
 * a token; claims are decoded by the client.
 */

/** Asked of the server by a client that shows samples. */
export const samplesRequest = 'authgraph/samples';

export interface SampleRow {
  readonly id: string;
  readonly name: string;
  /** Absent for what is held in memory. */
  readonly uri?: string;
  /** Seconds since 1970; absent where the claims say nothing. */
  readonly expires?: number;
  readonly issuer?: string;
  /** Why the file is no sample. */
  readonly problem?: string;
}

export interface SamplesAnswer {
  readonly samples: readonly SampleRow[];
  readonly chosen: string | undefined;
}

/** Sent to the server: a sample for this session, as the text of its claims. */
export const memorySampleRequest = 'authgraph/memorySample';

export interface MemorySample {
  readonly name: string;
  /** A JSON object. */
  readonly claims: string;
}

/** Sent to the server: which sample previews show; `undefined` for none. */
export const chooseSampleRequest = 'authgraph/chooseSample';

export interface ChooseSample {
  readonly id: string | undefined;
}

/** Sent by the server when samples, or the chosen one, are others than before. */
export const samplesChanged = 'authgraph/samplesChanged';
