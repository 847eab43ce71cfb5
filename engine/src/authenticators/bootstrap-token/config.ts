/** The flag of the bootstrap token authenticator. */
import type { FlagRow, FlagValues } from '../../flags/flag.ts';

export interface BootstrapTokenSettings {
  readonly enabled: boolean;
}

export const flags: readonly FlagRow[] = [
  {
    name: 'enable-bootstrap-token-auth',
    group: 'Bootstrap tokens',
    type: 'bool',
    default: 'false',
    doc: 'Enable to allow Secrets of type bootstrap.kubernetes.io/token in the kube-system namespace to be used for authentication.',
  },
];

export const readBootstrapToken = (values: FlagValues): BootstrapTokenSettings => ({
  enabled: values.bool('enable-bootstrap-token-auth'),
});
