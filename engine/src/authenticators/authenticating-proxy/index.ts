/** Exports of the authenticating proxy authenticator. */
export { authenticateAuthenticatingProxy } from './authenticate.ts';
export {
  type AuthenticatingProxyCompilation,
  type AuthenticatingProxyMaterial,
  type AuthenticatingProxySource,
  compileAuthenticatingProxy,
} from './compile.ts';
export {
  type AuthenticatingProxySettings,
  flags,
  overlapProblem,
  type ProxyAuthorities,
  readAuthenticatingProxy,
  validateAuthenticatingProxy,
  warnAuthenticatingProxy,
} from './config.ts';
export { explainAuthenticatingProxy } from './explain.ts';
export {
  type HeaderNames,
  type HeaderRules,
  type ProxyUserReader,
  proxyHeaderNames,
  proxyUserReader,
  trimmedHeaderRules,
  withoutProxyHeaders,
} from './header-rules.ts';
export type { AuthenticatingProxyNode } from './node.ts';
