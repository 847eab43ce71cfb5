/** Exports of the webhook token authenticator. */

export { authenticateWebhookToken, type WebhookTokenOptions } from './authenticate.ts';
export type { Backoff } from './call-webhook.ts';
export {
  compileWebhookToken,
  filesOfWebhookToken,
  secretFilesOfKubeconfig,
  type WebhookTokenCompilation,
  type WebhookTokenContext,
  type WebhookTokenMaterial,
  type WebhookTokenSource,
  webhookVersionProblem,
} from './compile.ts';
export {
  flags,
  readWebhookToken,
  secretFilesOfWebhookToken,
  validateWebhookToken,
  type WebhookTokenSettings,
} from './config.ts';
export { explainWebhookToken } from './explain.ts';
export { versionOfKind } from './known-kinds.ts';
export type { WebhookTokenNode } from './node.ts';
export * as webhookRejections from './rejections.ts';
