/**
 * The modules that flags set up: their files are read, their nodes made, in the real server's order
 * of stages, so that of several mistakes the same one is told.
 */
import { compileBootstrapToken } from '../../authenticators/bootstrap-token/index.ts';
import {
  linkStanding,
  type StandingModules,
  type StandingParts,
} from '../../authenticators/registry.ts';
import { compileStaticToken } from '../../authenticators/static-token/index.ts';
import type { StandingNodes } from '../../compile/graph.ts';
import type { Mode } from '../../model/differences.ts';
import { type FileReading, readSnapshot } from '../../node/files.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ModuleSettings } from './settings.ts';

export interface ModuleContext {
  readonly ports: Ports;
  readonly mode: Mode;
  readonly apiAudiences: readonly string[];
  /** What tokens are looked up in. */
  readonly objects: ObjectView;
}

export interface LoadedModules {
  readonly nodes: StandingNodes;
  readonly standing: StandingModules;
  /** For the log, at the start. */
  readonly warnings: readonly string[];
}

export type ModulesLoading =
  | ({ readonly kind: 'loaded' } & LoadedModules)
  /** In the real server's words. */
  | { readonly kind: 'failed'; readonly error: string };

/** More than any of these files is. */
const maxModuleFileBytes = 64 * 1024 * 1024;

/** What is done with the configuration file in between; gives what is wrong with it. */
export interface ConfigurationSteps {
  /** Decoded and checked: after the authorities of clients, before all other files. */
  check(): Promise<CheckedConfiguration>;
  /** Made to authenticators: after static tokens, before webhooks. */
  create(): Promise<string | undefined>;
}

export type CheckedConfiguration =
  /** The domain of reserved names that the file speaks. */
  | { readonly kind: 'good'; readonly apiDomain: string }
  | { readonly kind: 'failed'; readonly error: string };

/** Reads every file; nothing is at work before all of them are good. */
export const loadModules = async (
  settings: ModuleSettings,
  context: ModuleContext,
  configuration: ConfigurationSteps,
): Promise<ModulesLoading> => {
  const checked = await configuration.check();
  if (checked.kind === 'failed') return checked;
  const { apiDomain } = checked;
  const staticTokens = await loadStaticTokens(settings, context);
  if (staticTokens.kind === 'failed') return staticTokens;
  const created = await configuration.create();
  if (created !== undefined) return failed(created);
  const parts: StandingParts = {
    ...staticTokens.part,
    ...bootstrapTokens(settings, { ...context, apiDomain }),
  };
  return {
    kind: 'loaded',
    nodes: nodesOf(parts),
    standing: linkStanding(parts, context.ports),
    warnings: staticTokens.warnings,
  };
};

type PartLoading =
  | {
      readonly kind: 'loaded';
      readonly part: StandingParts;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'failed'; readonly error: string };

const failed = (error: string): { readonly kind: 'failed'; readonly error: string } => ({
  kind: 'failed',
  error,
});
const nothing: PartLoading = { kind: 'loaded', part: {}, warnings: [] };

const read = (path: string): Promise<FileReading> =>
  readSnapshot(path, { maxBytes: maxModuleFileBytes });

const loadStaticTokens = async (
  { staticToken: { file } }: ModuleSettings,
  { ports: { digest }, mode }: ModuleContext,
): Promise<PartLoading> => {
  if (file === undefined) return nothing;
  const reading = await read(file);
  if (reading.kind === 'unreadable') return failed(reading.reason);
  const compiled = compileStaticToken({ file, bytes: reading.bytes }, { digest, mode });
  if (compiled.kind === 'failed') return failed(compiled.error);
  const { node, material, warnings } = compiled;
  return { kind: 'loaded', part: { staticToken: { node, material } }, warnings };
};

const bootstrapTokens = (
  { bootstrapToken }: ModuleSettings,
  { apiDomain, objects }: ModuleContext & { readonly apiDomain: string },
): StandingParts => {
  const node = compileBootstrapToken(bootstrapToken, { apiDomain });
  return node === undefined ? {} : { bootstrapToken: { node, material: { objects } } };
};

const nodesOf = ({ staticToken, bootstrapToken }: StandingParts): StandingNodes => ({
  ...(staticToken === undefined ? {} : { staticToken: staticToken.node }),
  ...(bootstrapToken === undefined ? {} : { bootstrapToken: bootstrapToken.node }),
});
