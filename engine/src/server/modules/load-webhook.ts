/** Loads the webhook's kubeconfig and the files that it names, and compiles the node. */
import { dirname, resolve } from 'node:path';
import type { FlagModuleParts } from '../../authenticators/registry.ts';
import {
  compileWebhookToken,
  filesOfWebhookToken,
  secretFilesOfKubeconfig,
  type WebhookTokenContext,
  webhookVersionProblem,
} from '../../authenticators/webhook-token/compile.ts';
import type { WebhookTokenSettings } from '../../authenticators/webhook-token/config.ts';
import { secretFileWarnings } from '../../node/file-modes.ts';
import type { Ports } from '../../ports/ports.ts';
import { readModuleFile } from './module-file.ts';

export type WebhookLoading =
  | {
      readonly kind: 'loaded';
      readonly part: () => FlagModuleParts;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'failed'; readonly errors: readonly string[]; readonly help?: string };

export const loadWebhook = async (
  settings: WebhookTokenSettings,
  context: Pick<WebhookTokenContext, 'apiAudiences' | 'apiDomain'> & {
    readonly ports: Pick<Ports, 'clock'>;
  },
): Promise<WebhookLoading> => {
  const { file } = settings;
  if (file === undefined) return { kind: 'loaded', part: () => ({}), warnings: [] };
  const contents = await readModuleFile(file);
  const source = { file, directory: dirname(resolve(file)), contents };
  const files = new Map<string, Awaited<ReturnType<typeof readModuleFile>>>();
  for (const path of filesOfWebhookToken(source)) files.set(path, await readModuleFile(path));
  const { apiAudiences, apiDomain } = context;
  const now = context.ports.clock.now();
  const compiled = compileWebhookToken(source, { settings, apiAudiences, apiDomain, files, now });
  if (compiled.kind === 'failed') {
    // The version comes from a flag; kube-apiserver reports it only if the file is valid.
    const version = webhookVersionProblem(settings);
    const errors = new Set([compiled.error, ...(version === undefined ? [] : [version])]);
    const { help } = compiled;
    return { kind: 'failed', errors: [...errors], ...(help === undefined ? {} : { help }) };
  }
  const { node, material } = compiled;
  const warnings = [
    ...compiled.warnings,
    ...(await secretFileWarnings(secretFilesOfKubeconfig(source))),
  ];
  return { kind: 'loaded', part: () => ({ webhookToken: { node, material } }), warnings };
};
