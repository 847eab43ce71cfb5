/** What one can do with samples: choose, add, edit, duplicate, take from a token, save, forget. */
import {
  isSignatureMismatch,
  type MemorySample,
  type SampleRow,
} from '@authgraph/language-server/protocol';
import { env, type Memento, type QuickPickItem, ThemeIcon, Uri, window, workspace } from 'vscode';
import { errorMessage } from '../error-message.ts';
import { showError, offer, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { type Platform, issuersUnavailableReason } from '../platform.ts';
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

export interface SampleCommands {
  select(): Promise<void>;
  choose(sample: unknown): Promise<void>;
  create(): Promise<void>;
  edit(sample: unknown): Promise<void>;
  duplicate(sample: unknown): Promise<void>;
  save(sample: unknown): Promise<void>;
  drop(sample: unknown): Promise<void>;
  pasteToken(): Promise<void>;
  fromClipboard(): Promise<void>;
  /** Of a token that is pasted for it, with the keys of its issuer. */
  checkSignature(): Promise<void>;
  /** Keeps claims for the session and makes them the current sample; a long name is cut. */
  addToMemory(name: string, claims: string): Promise<void>;
  /** After a start of the language server: what it had in memory, and which sample was current. */
  restore(): Promise<void>;
}

export const createSampleCommands = (parts: {
  readonly model: Model;
  readonly requests: ServerRequests;
  readonly results: Results;
  readonly platform: Pick<Platform, 'host' | 'files'>;
  /** Remembers the name of the current sample's file, and nothing else. */
  readonly memory: Memento;
}): SampleCommands => {
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
  /** Makes it the current one; where the claims make no sample, that is said. */
  const addAndChoose = async (sample: MemorySample): Promise<void> => {
    try {
      await memorySamples.add(sample);
    } catch (cause) {
      return showError(`the claims make no sample. ${errorMessage(cause)}`);
    }
    const id = memorySamples.idOf(sample);
    if (id !== undefined) await choose(id);
  };

  const addToken = async (pasted: string, then: 'offer' | 'check'): Promise<void> => {
    const reading = readTokenClaims(pasted);
    if (reading.kind === 'unread') {
      return showError(`this is no token: ${reading.problem}`);
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
    const answer = then === 'check' ? checkButton : await offerActions(token, sample);
    if (answer === 'Show Claims') await showClaims(sample);
    // Since then the language server may have started anew, or the sample is forgotten.
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
  const offerActions = (token: TokenClaims, sample: MemorySample): Promise<string | undefined> => {
    const { name, signature = '' } = sample;
    const algorithm = token.algorithm ?? 'none';
    const canContactIssuers = issuersUnavailableReason(parts.platform) === undefined;
    const sentences = [
      `${name}: ${expiryText(token.expires, Date.now())}`,
      // The issuer's name stands among the claims.
      ...(token.issuer === undefined ? ['names no issuer'] : []),
      signature.replace(/^signature/, `signature (${algorithm})`),
    ];
    return offer({
      text: `${sentences.join(', ')}. Its claims are kept in memory`,
      // A token that a server would refuse is nothing to pass over.
      isWarning: isSignatureMismatch(signature),
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

  /** Asks where, writes, opens. */
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
    const sample = await sampleOf(argument, 'Save which sample?');
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
    const pasted = await window.showInputBox({
      title: 'Paste Token',
      prompt: 'A JWT. Its claims are kept in memory until the window closes, nothing else of it.',
      password: true,
      ignoreFocusOut: true,
    });
    if (pasted !== undefined && pasted.trim() !== '') await addToken(pasted, then);
  };

  return {
    async addToMemory(name, claims) {
      await addAndChoose({ name: shortened(name), claims: indentedJson(claims) });
    },
    async select() {
      await model.readSamples();
      const items: readonly SampleItem[] = [
        ...model.samples.map((sample) => ({
          label: sample.name,
          description: locationOf(sample),
          iconPath: new ThemeIcon(sample.id === model.chosen?.id ? 'circle-filled' : 'account'),
          run: () => choose(sample.id),
        })),
        { label: 'New Sample…', iconPath: new ThemeIcon('add'), run: create },
        { label: 'Paste Token…', iconPath: new ThemeIcon('key'), run: () => pasteToken() },
      ];
      const picked = await pick(items, {
        placeHolder: 'Whose claims do the previews show?',
        matchOnDescription: true,
      });
      await picked?.run();
    },
    async choose(argument) {
      const sample = await sampleOf(argument, 'Whose claims do the previews show?');
      if (sample !== undefined) await choose(sample.id);
    },
    create,
    async edit(argument) {
      const sample = await sampleOf(argument, 'Edit which sample?');
      if (sample === undefined) return;
      if (sample.uri !== undefined) await window.showTextDocument(Uri.parse(sample.uri, true));
      else
        await showClaims(memorySamples.sample(sample.id) ?? { name: sample.name, claims: '{}\n' });
    },
    async duplicate(argument) {
      const sample = await sampleOf(argument, 'Duplicate which sample?');
      // What a token said is not written down before the user saw what is replaced.
      if (sample !== undefined && isInMemory(sample)) return save(sample);
      const text = sample && (await textOf(sample));
      if (sample === undefined || text === undefined) return;
      await write(`${sample.name}-copy`, extensionOf(sample), text);
    },
    save,
    async drop(argument) {
      const sample = await sampleOf(argument, 'Forget which sample?', isInMemory);
      if (sample === undefined || !isInMemory(sample)) return;
      await memorySamples.drop(sample.id);
      await model.readSamples();
    },
    restore: memorySamples.restore,
    pasteToken: () => pasteToken(),
    checkSignature: () => pasteToken('check'),
    fromClipboard: async () => addToken(await env.clipboard.readText(), 'offer'),
  };
};

interface SampleItem extends QuickPickItem {
  run(): Promise<void>;
}

const checkButton = 'Check With Issuer';

/** The server takes 200 characters; so many of them can be read in a list. */
const maxNameLength = 100;

/** A change of claims that is tried says itself how long it is. */
const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length <= maxNameLength
    ? name
    : `${characters.slice(0, maxNameLength - 1).join('')}…`;
};

const nameMismatchMessage = (path: string): string =>
  `${path} is no sample: no pattern of the setting ${section}.samples.files matches its name. Rename it, or add a pattern`;

const folderOf = ({ configuration }: Model): Uri | undefined =>
  configuration === undefined || configuration.isUntitled
    ? workspace.workspaceFolders?.[0]?.uri
    : Uri.joinPath(configuration.uri, '..');

const isInMemory = ({ uri }: SampleRow): boolean => uri === undefined;

const locationOf = ({ uri }: SampleRow): string =>
  uri === undefined ? 'in memory' : workspace.asRelativePath(Uri.parse(uri));

const extensionOf = ({ uri }: SampleRow): string => /\.(ya?ml)$/i.exec(uri ?? '')?.[1] ?? 'json';
