/** Creates a configuration with sample claims for a provider, and shows its whoami. */
import type { NewConfiguration } from '@authgraph/language-server/protocol';
import { type TextDocument, Uri, window, workspace } from 'vscode';
import type { SampleCommands } from './identities/sample-commands.ts';
import { showError } from './messages.ts';
import type { Model } from './model.ts';
import { pick } from './quick-pick.ts';
import type { ServerRequests } from './requests.ts';

export const newConfiguration = async (parts: {
  readonly requests: ServerRequests;
  readonly model: Model;
  readonly samples: SampleCommands;
  readonly showWhoami: () => Promise<void>;
}): Promise<void> => {
  const { requests, model, samples, showWhoami } = parts;
  const items = async () =>
    (await requests.providers()).map(({ id, title, description }) => ({
      label: title,
      detail: description,
      id,
    }));
  const picked = await pick(items(), {
    placeHolder: 'Select an identity provider',
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  const starter = await requests.newConfiguration({ provider: picked.id });
  if (starter.files.length === 0) {
    return showError('there is no starter configuration for this provider');
  }
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const opened = await (folder === undefined
    ? openUnsaved(starter, samples)
    : writeInto(folder, starter, samples));
  if (opened !== undefined) {
    await window.showTextDocument(opened);
    await model.switchTo(opened.uri);
  }
  await model.readSamples();
  await showWhoami();
};

type StarterFile = NewConfiguration['files'][number];

const isSample = ({ name }: StarterFile): boolean => /\.claims\.(?:json|ya?ml)$/.test(name);

const withoutEnding = (name: string): string => name.split('.claims.', 1)[0] ?? name;

/**
 * Opens the configuration as an unsaved document and adds the sample to memory, if no folder is open.
 */
const openUnsaved = async (
  { files }: NewConfiguration,
  samples: SampleCommands,
): Promise<TextDocument | undefined> => {
  let first: TextDocument | undefined;
  for (const file of files) {
    if (isSample(file)) await samples.addToMemory(withoutEnding(file.name), file.text);
    else {
      const document = await workspace.openTextDocument({ language: 'yaml', content: file.text });
      first ??= document;
    }
  }
  return first;
};

const writeInto = async (
  folder: Uri,
  { files }: NewConfiguration,
  samples: SampleCommands,
): Promise<TextDocument | undefined> => {
  let first: TextDocument | undefined;
  for (const file of files) {
    const uri = await freeUri(folder, file.name);
    await workspace.fs.writeFile(uri, new TextEncoder().encode(file.text));
    const document = await workspace.openTextDocument(uri);
    if (isSample(file)) await samples.choose({ id: uri.toString(), name: file.name });
    else first ??= document;
  }
  return first;
};

/** Returns a name that does not exist yet; nothing is overwritten. */
const freeUri = async (folder: Uri, name: string): Promise<Uri> => {
  const plain = name.replaceAll(/[\\/]/g, '-');
  const [, stem = plain, ending = ''] = /^([^.]+)(\..*)?$/.exec(plain) ?? [];
  for (let count = 1; ; count += 1) {
    const uri = Uri.joinPath(folder, count === 1 ? plain : `${stem}-${count}${ending}`);
    try {
      await workspace.fs.stat(uri);
    } catch {
      return uri;
    }
  }
};
