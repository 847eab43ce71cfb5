/** The flag of the module. */
import type { FlagProblem, FlagRow, FlagValues } from '../../flags/flag.ts';

export interface ClientCertificateSettings {
  /** Path of the bundle; `undefined` where there is none and the module is not asked. */
  readonly caFile: string | undefined;
}

export const flags: readonly FlagRow[] = [
  {
    name: 'client-ca-file',
    group: 'Client certificates',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'Certificate authorities whose client certificates are users: the common name is the user name, organizations are groups. Watched while the server runs.',
  },
];

export const readClientCertificate = (values: FlagValues): ClientCertificateSettings => {
  const caFile = values.string('client-ca-file');
  return { caFile: caFile === '' ? undefined : caFile };
};

/** Whether the file is there and can be read shows when it is. */
export const validateClientCertificate = (
  _settings: ClientCertificateSettings,
): readonly FlagProblem[] => [];
