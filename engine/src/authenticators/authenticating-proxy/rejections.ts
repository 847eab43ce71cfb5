/** Reasons for which a proxy with a trusted certificate is rejected. */
import { defineRejection } from '../../model/rejection.ts';

export const proxyNameNotAllowed = defineRejection({
  code: 'AG5043',
  name: 'proxy-name-not-allowed',
  text: (name: string) => `x509: subject with cn=${name} is not in the allowed list`,
  meaning: 'The common name in the certificate of the authenticating proxy is not allowed.',
});
