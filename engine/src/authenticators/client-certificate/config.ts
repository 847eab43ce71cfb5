/** The flag of the client certificate authenticator. */
import type { FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';

export interface ClientCertificateSettings {
  /** Path of the CA bundle; `undefined` disables the authenticator. */
  readonly caFile: string | undefined;
}

export const flags = flagGroup('Client certificates', [
  {
    name: 'client-ca-file',
    placeholder: 'FILE',
    doc: 'If set, any request presenting a client certificate signed by one of the authorities in the file is authenticated with an identity corresponding to the CommonName of the client certificate; its organizations are the groups. The file is reloaded when it changes.',
  },
]);

export const readClientCertificate = (values: FlagValues): ClientCertificateSettings => {
  const caFile = values.string('client-ca-file');
  return { caFile: caFile === '' ? undefined : caFile };
};
