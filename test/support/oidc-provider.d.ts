/** Types of the part of `oidc-provider` that tests use; the package brings none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    use(
      middleware: (
        context: { readonly path: string; body: Readonly<Record<string, unknown>> },
        next: () => Promise<void>,
      ) => Promise<void>,
    ): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
