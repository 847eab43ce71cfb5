/** The flags of the webhook token authenticator. */
import type { FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';

export interface WebhookTokenSettings {
  /** Path of the kubeconfig file; `undefined` disables the authenticator. */
  readonly file: string | undefined;
  /** The version as given; validated when the kubeconfig is read, as in kube-apiserver. */
  readonly version: string;
  readonly cacheTtlMs: number;
}

export const flags = flagGroup('Webhook', [
  {
    name: 'authentication-token-webhook-config-file',
    placeholder: 'FILE',
    doc: 'File with webhook configuration for token authentication in kubeconfig format. The server queries the remote service to authenticate bearer tokens.',
  },
  {
    name: 'authentication-token-webhook-version',
    default: 'v1beta1',
    doc: 'The API version of the TokenReview to send to and expect from the webhook, v1 or v1beta1.',
  },
  {
    name: 'authentication-token-webhook-cache-ttl',
    type: 'duration',
    default: '2m0s',
    doc: 'The duration to cache responses from the webhook token authenticator.',
  },
]);

export const readWebhookToken = (values: FlagValues): WebhookTokenSettings => {
  const file = values.string('authentication-token-webhook-config-file');
  return {
    file: file === '' ? undefined : file,
    version: values.string('authentication-token-webhook-version'),
    cacheTtlMs: values.number('authentication-token-webhook-cache-ttl'),
  };
};

/** Returns the files that may contain secrets and should be readable by their owner only. */
export const secretFilesOfWebhookToken = ({ file }: WebhookTokenSettings): readonly string[] =>
  file === undefined ? [] : [file];
