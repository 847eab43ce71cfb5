/**
 * Samples held in memory and the selections of this window. The language server forgets them when it
 * restarts, after a crash or when the workspace becomes trusted; they are sent to it again then.
 */
import type { MemorySample } from '@authgraph/language-server/protocol';
import type { Memento } from 'vscode';
import { showError } from '../messages.ts';
import type { Model } from '../model.ts';
import type { ServerRequests } from '../requests.ts';

export const createMemorySamples = (parts: {
  readonly requests: ServerRequests;
  readonly model: Pick<Model, 'readSamples'>;
  /** Stores the names of the selected samples' files for the next window, and nothing else. */
  readonly memory: Memento;
}) => {
  const { requests, model, memory } = parts;
  /** Samples by ID in order of creation. Never contains a token. */
  const samplesById = new Map<string, MemorySample>();
  /** Samples that a restarted server rejected; they are sent again after the next start. */
  let pending: MemorySample[] = [];
  /** The samples that were selected, the last one last. */
  let selected = storedNames(memory).map((name): SelectedSample => ({ name, id: name }));
  let restored = Promise.resolve();

  /**
   * Returns the sample's ID, which changes with every server start; `undefined` if the sample is
   * not held or could not be restored yet.
   */
  const idOf = (sample: MemorySample): string | undefined =>
    [...samplesById].find(([, each]) => each === sample)?.[0];

  const addAgain = async (): Promise<void> => {
    const before = [...samplesById.values(), ...pending];
    samplesById.clear();
    pending = [];
    // Sent one at a time, because the server lists them in this order.
    for (const sample of before) {
      try {
        samplesById.set(await requests.addMemorySample(sample), sample);
      } catch {
        pending.push(sample);
      }
    }
    if (pending.length > 0) {
      const names = pending.map(({ name }) => name).join(', ');
      showError(`the language server rejected ${names} after its restart. Restart it again`);
    }
  };
  const chooseAgain = async (): Promise<void> => {
    const ids = selected.flatMap(
      ({ sample, id }) => (sample === undefined ? id : idOf(sample)) ?? [],
    );
    const last = ids.at(-1);
    // A stored name is sent in place of an ID.
    if (last !== undefined)
      await requests.choose({ id: last, name: last, earlier: ids.slice(0, -1) });
  };

  return {
    idOf,
    sample: (id: string) => samplesById.get(id),
    /** Throws with the server's message if it rejects the sample. */
    async add(sample: MemorySample): Promise<void> {
      samplesById.set(await requests.addMemorySample(sample), sample);
    },
    async drop(id: string): Promise<void> {
      const dropped = samplesById.get(id);
      selected = selected.filter(({ sample }) => sample === undefined || sample !== dropped);
      samplesById.delete(id);
      await requests.drop(id);
    },
    /** Returns an error message, or `undefined` on success. */
    async choose(id: string): Promise<string | undefined> {
      const answer = await requests.choose({ id });
      await model.readSamples();
      if (typeof answer === 'string') return answer;
      const sample = samplesById.get(id);
      const name = answer.samples.find((row) => row.id === id)?.name ?? '';
      const others = selected.filter((other) => other.name !== name || other.sample !== sample);
      selected = [...others, { name, ...(sample === undefined ? { id } : { sample }) }].slice(
        -maxSelected,
      );
      const files = selected.filter((each) => each.sample === undefined);
      await memory.update(
        selectedKey,
        files.map((each) => each.name),
      );
      return undefined;
    },
    /** Sends the samples and the selections to a restarted server. */
    restore(): Promise<void> {
      // If the server ends meanwhile, the next start restores them.
      restored = restored.then(async () => {
        await addAgain();
        await chooseAgain();
        await model.readSamples();
      });
      return restored;
    },
  };
};

/** A file, or a sample in memory, whose ID changes with every server start. */
type SelectedSample =
  | { readonly name: string; readonly id: string; readonly sample?: undefined }
  | { readonly name: string; readonly id?: undefined; readonly sample: MemorySample };

/** Each authenticator shows the sample that was selected last for its issuer; there may be 64. */
const maxSelected = 100;

const selectedKey = 'authgraph.selectedSamples';

const storedNames = (memory: Memento): readonly string[] => {
  const stored = memory.get<unknown>(selectedKey);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
};
