/** The flags of the module. */
import type { FlagProblem, FlagRow, FlagValues } from '../../flags/flag.ts';

export interface WebhookTokenSettings {
  /** Path of the kubeconfig file; `undefined` where there is none and the module is not asked. */
  readonly file: string | undefined;
  /** As it was given; checked when the file has been read, as by the real server. */
  readonly version: string;
  readonly cacheTtlMs: number;
}

const group = 'Webhook';

export const flags: readonly FlagRow[] = [
  {
    name: 'authentication-token-webhook-config-file',
    group,
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'Kubeconfig file of a remote service that is asked who the bearer of a token is.',
  },
  {
    name: 'authentication-token-webhook-version',
    group,
    type: 'string',
    default: 'v1beta1',
    doc: 'Version of the TokenReview that the remote service is sent and must answer, v1 or v1beta1.',
  },
  {
    name: 'authentication-token-webhook-cache-ttl',
    group,
    type: 'duration',
    default: '2m0s',
    doc: "How long the remote service's answers are kept.",
  },
];

export const readWebhookToken = (values: FlagValues): WebhookTokenSettings => {
  const file = values.string('authentication-token-webhook-config-file');
  return {
    file: file === '' ? undefined : file,
    version: values.string('authentication-token-webhook-version'),
    cacheTtlMs: values.number('authentication-token-webhook-cache-ttl'),
  };
};

/** Whether file and version are good shows when the file is read. */
export const validateWebhookToken = (_settings: WebhookTokenSettings): readonly FlagProblem[] => [];

/** Files that may hold secrets: nobody but their owner should be able to read them. */
export const secretFilesOfWebhookToken = ({ file }: WebhookTokenSettings): readonly string[] =>
  file === undefined ? [] : [file];
