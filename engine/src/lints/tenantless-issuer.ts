/**
 * `common`, `organizations` and `consumers` are endpoints of Microsoft Entra ID, not issuers: the
 * `iss` claim of a token names the tenant. Discovery fails because the issuer differs.
 */
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly endpoint: string;
}

export const tenantlessIssuer = defineLint<Args>({
  code: 'AG4039',
  name: 'tenantless-issuer',
  summary: 'The issuer URL of Microsoft Entra ID names no tenant, so no token is accepted.',
  message: ({ endpoint }) =>
    `no token has this issuer: ${endpoint} is an endpoint for several tenants, and the iss claim of a token names its tenant`,
  help: () =>
    'Write the ID of the tenant into the URL, as in the iss claim of a token: https://login.microsoftonline.com/TENANT-ID/v2.0.',
  check(compilation, report) {
    for (const { issuer } of compilation.configuration?.jwt ?? []) {
      const { url } = issuer;
      const endpoint = endpointPattern.exec(url?.value ?? '')?.[1];
      if (url !== undefined && endpoint !== undefined) report(url.span, { endpoint });
    }
  },
});

const endpointPattern =
  /^https:\/\/login\.microsoftonline\.(?:com|us)\/(common|organizations|consumers)(?:\/|$)/;
