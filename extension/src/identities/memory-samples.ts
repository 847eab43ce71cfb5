/**
 * Samples held in memory and the selection of this window. The language server forgets them when it
 * restarts, after a crash or when the workspace becomes trusted; they are sent to it again then.
 */
import type { MemorySample } from '@authgraph/language-server/protocol';
import type { Memento } from 'vscode';
import { showError } from '../messages.ts';
import type { Model } from '../model.ts';
import type { ServerRequests } from '../requests.ts';

export const createMemorySamples = (parts: {
  readonly requests: ServerRequests;
  readonly model: Pick<Model, 'chosen' | 'readSamples'>;
  /** Stores the name of the current sample's file for the next window, and nothing else. */
  readonly memory: Memento;
}) => {
  const { requests, model, memory } = parts;
  /** Samples by ID in order of creation. Never contains a token. */
  const samplesById = new Map<string, MemorySample>();
  /** Samples that a restarted server rejected; they are sent again after the next start. */
  let pending: MemorySample[] = [];
  /**
   * The URI of a file, or a sample in memory; `undefined` until a sample is selected in this
   * window.
   */
  let current: string | MemorySample | undefined;
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
    const name = memory.get<unknown>(currentKey);
    const id = typeof current === 'object' ? idOf(current) : current;
    if (id !== undefined) await requests.choose({ id });
    else if (current === undefined && typeof name === 'string') await requests.choose({ name });
  };

  return {
    idOf,
    sample: (id: string) => samplesById.get(id),
    /** Throws with the server's message if it rejects the sample. */
    async add(sample: MemorySample): Promise<void> {
      samplesById.set(await requests.addMemorySample(sample), sample);
    },
    async drop(id: string): Promise<void> {
      if (samplesById.get(id) === current) current = undefined;
      samplesById.delete(id);
      await requests.drop(id);
    },
    /** Returns an error message, or `undefined` on success. */
    async choose(id: string): Promise<string | undefined> {
      const problem = await requests.choose({ id });
      await model.readSamples();
      if (problem !== undefined) return problem;
      current = samplesById.get(id) ?? id;
      const { chosen } = model;
      await memory.update(currentKey, chosen?.uri === undefined ? undefined : chosen.name);
      return undefined;
    },
    /** Sends the samples and the selection to a restarted server. */
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

const currentKey = 'authgraph.currentSample';
