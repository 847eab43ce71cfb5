/**
 * What the user keeps in memory and chose in this window. The language server knows it only until it
 * starts anew, after a crash or because the workspace is trusted now: then it is told again.
 */
import type { MemorySample } from '@authgraph/language-server/protocol';
import type { Memento } from 'vscode';
import { showError } from '../messages.ts';
import type { Model } from '../model.ts';
import type { ServerRequests } from '../requests.ts';

export interface MemorySamples {
  /** Its id, which is another one after each start; `undefined` where it is not held, or not by now. */
  idOf(sample: MemorySample): string | undefined;
  sample(id: string): MemorySample | undefined;
  /** Throws with the server's reason where it takes no such sample. */
  add(sample: MemorySample): Promise<void>;
  drop(id: string): Promise<void>;
  /** Why it is not the current sample; `undefined` where it is. */
  choose(id: string): Promise<string | undefined>;
  /** After a start of the language server. */
  restore(): Promise<void>;
}

export const createMemorySamples = (parts: {
  readonly requests: ServerRequests;
  readonly model: Pick<Model, 'chosen' | 'readSamples'>;
  /** Remembers the name of the current sample's file for the next window, and nothing else. */
  readonly memory: Memento;
}): MemorySamples => {
  const { requests, model, memory } = parts;
  /** By id, in the order in which they came. Never a token. */
  const samplesById = new Map<string, MemorySample>();
  /** Those that a server would not take when it started; the next one is asked again. */
  let pending: MemorySample[] = [];
  /** The id of a file, or claims in memory; `undefined` while nobody chose in this window. */
  let current: string | MemorySample | undefined;
  let restored = Promise.resolve();

  const idOf = (sample: MemorySample): string | undefined =>
    [...samplesById].find(([, each]) => each === sample)?.[0];

  const addAgain = async (): Promise<void> => {
    const before = [...samplesById.values(), ...pending];
    samplesById.clear();
    pending = [];
    // One after the other: they are listed in this order.
    for (const sample of before) {
      try {
        samplesById.set(await requests.addMemorySample(sample), sample);
      } catch {
        pending.push(sample);
      }
    }
    if (pending.length > 0) {
      const names = pending.map(({ name }) => name).join(', ');
      showError(`the language server does not take ${names} again. Restart it`);
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
    sample: (id) => samplesById.get(id),
    async add(sample) {
      samplesById.set(await requests.addMemorySample(sample), sample);
    },
    async drop(id) {
      if (samplesById.get(id) === current) current = undefined;
      samplesById.delete(id);
      await requests.drop(id);
    },
    async choose(id) {
      const problem = await requests.choose({ id });
      await model.readSamples();
      if (problem !== undefined) return problem;
      current = samplesById.get(id) ?? id;
      const { chosen } = model;
      await memory.update(currentKey, chosen?.uri === undefined ? undefined : chosen.name);
      return undefined;
    },
    restore() {
      // A server that ends while this is under way leaves it to the start after that.
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
