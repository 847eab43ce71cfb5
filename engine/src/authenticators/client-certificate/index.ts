/** Exports of the client certificate authenticator. */
export { authenticateClientCertificate } from './authenticate.ts';
export {
  type ClientCertificateCompilation,
  type ClientCertificateMaterial,
  type ClientCertificateSource,
  compileClientCertificate,
} from './compile.ts';
export {
  type ClientCertificateSettings,
  flags,
  readClientCertificate,
  validateClientCertificate,
} from './config.ts';
export { explainClientCertificate } from './explain.ts';
export type { ClientCertificateNode } from './node.ts';
