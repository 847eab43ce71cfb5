/** The type of a request on its path from authentication to the response. */
import type { HeaderList } from '../../model/header-list.ts';
import type { BodyBytes } from './incoming-request.ts';
import type { RequestInfo } from './request-info.ts';
import type { Target } from './target.ts';

/** A request as the handlers see it after authentication: without its credentials. */
export interface Exchange {
  readonly method: string;
  readonly headers: HeaderList;
  readonly target: Target;
  readonly info: RequestInfo;
  /** Texts of Warning headers, in order; endpoints append to it. */
  readonly warnings: string[];
  /** Reads the body as `IncomingRequest.readBody` does. */
  readBody(limit: number): Promise<BodyBytes>;
  /** True if no client waits for the response anymore. */
  isCanceled(): boolean;
}
