/** The sample commands: select, add, edit, duplicate, create from a token, save, remove. */
import {
  isSignatureMismatch,
  type MemorySample,
  type SampleRow,
} from '@authgraph/language-server/protocol';
import { env, type Memento, type QuickPickItem, ThemeIcon, Uri, window, workspace } from 'vscode';
import { errorMessage } from '../error-message.ts';
import { offer, showError, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { issuersUnavailableReason, type Platform } from '../platform.ts';
import { pick } from '../quick-pick.ts';
import type { ServerRequests } from '../requests.ts';
import { fileNameOf, type Results } from '../results.ts';
import { section } from '../settings.ts';
import { isSampleRow } from './identities-tree.ts';
import { createMemorySamples } from './memory-samples.ts';
import { applyReplacements } from './redaction.ts';
import { chooseReplacements } from './redaction-preview.ts';
import { checkWithFiles, checkWithIssuer, type HeldToken, holdToken } from './signature-checks.ts';
import { signatureSummary } from './signature-text.ts';
import {
  bareToken,
  expiryText,
  indentedJson,
  readTokenClaims,
  type TokenClaims,
} from './token-claims.ts';
import { promptForToken } from './token-input.ts';

export type SampleCommands = ReturnType<typeof createSampleCommands>;

export const createSampleCommands = (parts: {
  readonly model: Model;
  readonly requests: ServerRequests;
  readonly results: Results;
  readonly platform: Pick<Platform, 'host' | 'files'>;
  /** Stores the names of the selected samples' files, and nothing else. */
  readonly memory: Memento;
}) => {
  const { model, requests, results, memory } = parts;
  const memorySamples = createMemorySamples({ requests, model, memory });

  const sampleOf = async (
    argument: unknown,
    placeHolder: string,
    isEligible: (sample: SampleRow) => boolean = () => true,
  ): Promise<SampleRow | undefined> => {
    if (isSampleRow(argument)) return argument;
    await model.readSamples();
    const items = model.samples
      .filter(isEligible)
      .map((sample) => ({ label: sample.name, description: locationOf(sample), sample }));
    if (items.length === 0) {
      return showInfo(model.problem ?? 'no sample is held in memory: paste a token first');
    }
    return (await pick(items, { placeHolder }))?.sample;
  };
  const choose = async (id: string): Promise<void> => {
    const problem = await memorySamples.choose(id);
    if (problem !== undefined) showInfo(problem);
  };
  /** Adds a sample and makes it the current one; shows the error if it is invalid. */
  const addAndChoose = async (sample: MemorySample): Promise<void> => {
    try {
      await memorySamples.add(sample);
    } catch (cause) {
      return showError(`the claims are not a valid sample. ${errorMessage(cause)}`);
    }
    const id = memorySamples.idOf(sample);
    if (id !== undefined) await choose(id);
  };

  const addToken = async (pasted: string, then: 'offer' | 'check'): Promise<void> => {
    const reading = readTokenClaims(pasted);
    if (reading.kind === 'invalid') {
      return showError(reading.problem);
    }
    const heldToken = holdToken(bareToken(pasted));
    try {
      await addTokenSample(reading.token, heldToken, then);
    } finally {
      heldToken.drop();
    }
  };
  const addTokenSample = async (
    token: TokenClaims,
    heldToken: HeldToken,
    then: 'offer' | 'check',
  ): Promise<void> => {
    const { name, claims } = token;
    const sample = { name, claims, signature: await checkWithFiles(heldToken) };
    await addAndChoose(sample);
    if (memorySamples.idOf(sample) === undefined) return;
    const answer =
      then === 'check'
        ? checkButton
        : await offerActions(token, sample, await rejectionOf(memorySamples.idOf(sample)));
    if (answer === 'Show Claims') await showClaims(sample);
    // The server may have restarted, or the sample may have been removed, in the meantime.
    const id = memorySamples.idOf(sample);
    if (answer === 'Save as Sample…' && id !== undefined) await save({ id, name });
    if (answer !== checkButton) return;
    const signature = await checkWithIssuer(heldToken, token.issuer, parts);
    if (signature === undefined) return;
    const unchecked = memorySamples.idOf(sample);
    if (unchecked !== undefined) await memorySamples.drop(unchecked);
    await addAndChoose({ name, claims, signature });
    void offer({
      text: `${name}: ${signature}`,
      isWarning: isSignatureMismatch(signature),
      actions: [],
    });
  };
  /** Returns why the current configuration rejects a sample; `undefined` if it does not. */
  const rejectionOf = async (id: string | undefined): Promise<string | undefined> => {
    const uri = model.configuration?.uri.toString();
    if (uri === undefined || id === undefined) return undefined;
    const { rows } = await requests.verdicts({ uri, samples: [id] });
    const isRejected = rows.length > 0 && rows.every(({ verdict }) => verdict === 'rejected');
    return isRejected ? rows[0]?.headline : undefined;
  };
  const offerActions = (
    token: TokenClaims,
    sample: MemorySample,
    rejection: string | undefined,
  ): Promise<string | undefined> => {
    const { name, signature = '' } = sample;
    const algorithm = token.algorithm ?? 'none';
    const canContactIssuers = issuersUnavailableReason(parts.platform) === undefined;
    const sentences = [
      // The finding about the signature follows.
      isSignatureMismatch(signature) || rejection === undefined
        ? `${name}: ${expiryText(token.expires, Date.now())}`
        : rejection,
      // A present issuer is visible in the claims.
      ...(token.issuer === undefined ? ['no issuer'] : []),
      signature.replace(/^signature/, `signature (${algorithm})`),
    ];
    return offer({
      text: `${sentences.join(', ')}. Its claims are held in memory`,
      // A token that kube-apiserver would reject deserves a warning.
      isWarning: rejection !== undefined || isSignatureMismatch(signature),
      actions: ['Show Claims', 'Save as Sample…', ...(canContactIssuers ? [checkButton] : [])],
    });
  };
  const showClaims = async ({ name, claims, signature }: MemorySample): Promise<void> => {
    const title = `${fileNameOf(name)} (decoded, ${signatureSummary(signature)}).json`;
    await window.showTextDocument(results.put(title, claims), { preview: true });
  };

  const textOf = async ({ id, uri }: SampleRow): Promise<string | undefined> =>
    uri === undefined
      ? memorySamples.sample(id)?.claims
      : (await workspace.openTextDocument(Uri.parse(uri, true))).getText();

  /** Asks for the location, writes the file and opens it. */
  const write = async (name: string, ending: string, text: string): Promise<void> => {
    const folder = folderOf(model);
    const proposed = `${fileNameOf(name)}.claims.${ending}`;
    const target = await window.showSaveDialog({
      title: 'Save Sample',
      filters: { Samples: ['claims.json', 'claims.yaml'], All: ['*'] },
      ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, proposed) }),
    });
    if (target === undefined) return;
    await workspace.fs.writeFile(target, new TextEncoder().encode(text));
    await window.showTextDocument(target);
    const problem = await memorySamples.choose(target.toString());
    if (problem === undefined) return;
    const isSample = model.samples.some(({ id }) => id === target.toString());
    showInfo(isSample ? problem : nameMismatchMessage(workspace.asRelativePath(target)));
  };

  const save = async (argument: unknown): Promise<void> => {
    const sample = await sampleOf(argument, 'Select a sample to save');
    const text = sample && (await textOf(sample));
    if (sample === undefined || text === undefined) return;
    const replacements = await chooseReplacements(text);
    if (replacements === undefined) return;
    await write(sample.name, 'json', applyReplacements(text, replacements));
  };

  const create = async (): Promise<void> => {
    const uri = model.configuration?.uri.toString();
    const { claims } = await requests.sampleTemplate(uri === undefined ? {} : { uri });
    await write('jane', 'json', claims);
  };

  const pasteToken = async (then: 'offer' | 'check' = 'offer'): Promise<void> => {
    const pasted = await promptForToken(
      'Paste Token',
      'A JWT. AuthGraph stores only its claims, in memory, until the window closes.',
    );
    if (pasted !== undefined && pasted.trim() !== '') await addToken(pasted, then);
  };

  return {
    /** Returns the sample of a row, or the one that the user picks. */
    pickFile: (argument: unknown): Promise<SampleRow | undefined> =>
      sampleOf(argument, 'Select a sample', (sample) => !isInMemory(sample)),
    /** Adds claims for this session and makes them the current sample; long names are truncated. */
    async addToMemory(name: string, claims: string): Promise<void> {
      await addAndChoose({ name: shortened(name), claims: indentedJson(claims) });
    },
    /** Lets the user select one of the samples that count for a configuration. */
    async select(uri = model.configuration?.uri.toString()): Promise<void> {
      const { samples, current } = await requests.samples(uri === undefined ? {} : { uri });
      const items: readonly SampleItem[] = [
        ...samples.map((sample) => ({
          label: sample.name,
          description: locationOf(sample),
          iconPath: new ThemeIcon(sample.id === current ? 'circle-filled' : 'account'),
          run: () => choose(sample.id),
        })),
        { label: 'New Sample…', iconPath: new ThemeIcon('add'), run: create },
        { label: 'Paste Token…', iconPath: new ThemeIcon('key'), run: () => pasteToken() },
      ];
      const picked = await pick(items, {
        placeHolder: 'Select a sample',
        matchOnDescription: true,
      });
      await picked?.run();
    },
    async choose(argument: unknown): Promise<void> {
      const sample = await sampleOf(argument, 'Select a sample');
      if (sample !== undefined) await choose(sample.id);
    },
    create,
    async edit(argument: unknown): Promise<void> {
      const sample = await sampleOf(argument, 'Select a sample to edit');
      if (sample === undefined) return;
      if (sample.uri !== undefined) await window.showTextDocument(Uri.parse(sample.uri, true));
      else
        await showClaims(memorySamples.sample(sample.id) ?? { name: sample.name, claims: '{}\n' });
    },
    async duplicate(argument: unknown): Promise<void> {
      const sample = await sampleOf(argument, 'Select a sample to duplicate');
      // Claims of a token are written only after the user has seen the replacements.
      if (sample !== undefined && isInMemory(sample)) return save(sample);
      const text = sample && (await textOf(sample));
      if (sample === undefined || text === undefined) return;
      await write(`${sample.name}-copy`, extensionOf(sample), text);
    },
    save,
    async drop(argument: unknown): Promise<void> {
      const sample = await sampleOf(argument, 'Select a sample to remove from memory', isInMemory);
      if (sample === undefined || !isInMemory(sample)) return;
      await memorySamples.drop(sample.id);
      await model.readSamples();
    },
    /** Restores samples and selection after the language server restarted. */
    restore: memorySamples.restore,
    pasteToken: () => pasteToken(),
    /** Prompts for a token and checks its signature with the keys of its issuer. */
    checkSignature: () => pasteToken('check'),
    fromClipboard: async () => addToken(await env.clipboard.readText(), 'offer'),
  };
};

interface SampleItem extends QuickPickItem {
  run(): Promise<void>;
}

const checkButton = 'Check with Issuer';

/** The server accepts 200 characters; 100 are readable in a list. */
const maxNameLength = 100;

/** Truncates a name; samples made by Try It describe a change and may be long. */
const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length <= maxNameLength
    ? name
    : `${characters.slice(0, maxNameLength - 1).join('')}…`;
};

const nameMismatchMessage = (path: string): string =>
  `${path} is not a sample: its name matches no pattern of the setting ${section}.samples.files. Rename it or add a pattern`;

const folderOf = ({ configuration }: Model): Uri | undefined =>
  configuration === undefined || configuration.isUntitled
    ? workspace.workspaceFolders?.[0]?.uri
    : Uri.joinPath(configuration.uri, '..');

const isInMemory = ({ uri }: SampleRow): boolean => uri === undefined;

const locationOf = ({ uri }: SampleRow): string =>
  uri === undefined ? 'in memory' : workspace.asRelativePath(Uri.parse(uri));

const extensionOf = ({ uri }: SampleRow): string => /\.(ya?ml)$/i.exec(uri ?? '')?.[1] ?? 'json';
