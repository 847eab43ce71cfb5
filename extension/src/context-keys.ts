/** The context keys of the `when` clauses in the manifest. */
import { commands, type Disposable } from 'vscode';
import type { Model } from './model.ts';
import { issuersUnavailableReason, type Platform } from './platform.ts';

/** The keys, each with the prefix `authgraph.` in the manifest. */
export const contextKeys = [
  /** A document that concerns the extension is visible. */
  'active',
  /** The active editor shows a configuration, or the graph of one. */
  'isConfiguration',
  /** Previews have a configuration, whichever editor or view is active. */
  'hasConfiguration',
  'hasSamples',
  'hasMemorySamples',
  /** Files are read from a disk, so that issuers and Git can be reached. */
  'isLocal',
] as const;

export const setContext = (key: (typeof contextKeys)[number], value: boolean): void => {
  void commands.executeCommand('setContext', `authgraph.${key}`, value);
};

/** Updates the keys of a session. */
export const followInContext = (
  model: Model,
  platform: Pick<Platform, 'host' | 'files'>,
): Disposable => {
  const update = (): void => {
    setContext('isLocal', issuersUnavailableReason(platform) === undefined);
    setContext('hasConfiguration', model.configuration !== undefined);
    setContext('hasSamples', model.samples.length > 0);
    setContext(
      'hasMemorySamples',
      model.samples.some(({ uri }) => uri === undefined),
    );
  };
  update();
  return model.onDidChange(update);
};
