/** The flag of the bootstrap token authenticator. */
import type { FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';

export interface BootstrapTokenSettings {
  readonly enabled: boolean;
}

export const flags = flagGroup('Bootstrap tokens', [
  {
    name: 'enable-bootstrap-token-auth',
    type: 'bool',
    doc: 'Enable to allow Secrets of type bootstrap.kubernetes.io/token in the kube-system namespace to be used for authentication.',
  },
]);

export const readBootstrapToken = (values: FlagValues): BootstrapTokenSettings => ({
  enabled: values.bool('enable-bootstrap-token-auth'),
});
