/**
 * What the user keeps in memory and chose in this window. The language server knows it only until it
 * starts anew, after a crash or because the workspace is trusted now: then it is told again.
 */
import type { MemorySample } from '@authgraph/language-server/protocol';
import type { Memento } from 'vscode';
import { complain } from '../messages.ts';
import type { Model } from '../model.ts';
import type { Asking } from '../requests.ts';

export interface HeldSamples {
  /** Its id, which is another one after each start; `undefined` where it is not held, or not by now. */
  idOf(sample: MemorySample): string | undefined;
  sample(id: string): MemorySample | undefined;
  /** Throws with the server's reason where it takes no such sample. */
  keep(sample: MemorySample): Promise<void>;
  drop(id: string): Promise<void>;
  /** Why it is not the current sample; `undefined` where it is. */
  choose(id: string): Promise<string | undefined>;
  /** After a start of the language server. */
  restore(): Promise<void>;
}

export const createHeldSamples = (parts: {
  readonly asking: Asking;
  readonly model: Pick<Model, 'chosen' | 'readSamples'>;
  /** Remembers the name of the current sample's file for the next window, and nothing else. */
  readonly memory: Memento;
}): HeldSamples => {
  const { asking, model, memory } = parts;
  /** By id, in the order in which they came. Never a token. */
  const kept = new Map<string, MemorySample>();
  /** Those that a server would not take when it started; the next one is asked again. */
  let waiting: MemorySample[] = [];
  /** The id of a file, or claims in memory; `undefined` while nobody chose in this window. */
  let current: string | MemorySample | undefined;
  let restored = Promise.resolve();

  const idOf = (sample: MemorySample): string | undefined =>
    [...kept].find(([, each]) => each === sample)?.[0];

  const keepAgain = async (): Promise<void> => {
    const before = [...kept.values(), ...waiting];
    kept.clear();
    waiting = [];
    // One after the other: they are listed in this order.
    for (const sample of before) {
      try {
        kept.set(await asking.keepInMemory(sample), sample);
      } catch {
        waiting.push(sample);
      }
    }
    if (waiting.length > 0) {
      const names = waiting.map(({ name }) => name).join(', ');
      complain(`the language server does not take ${names} again. Restart it`);
    }
  };
  const chooseAgain = async (): Promise<void> => {
    const name = memory.get<unknown>(currentKey);
    const id = typeof current === 'object' ? idOf(current) : current;
    if (id !== undefined) await asking.choose({ id });
    else if (current === undefined && typeof name === 'string') await asking.choose({ name });
  };

  return {
    idOf,
    sample: (id) => kept.get(id),
    async keep(sample) {
      kept.set(await asking.keepInMemory(sample), sample);
    },
    async drop(id) {
      if (kept.get(id) === current) current = undefined;
      kept.delete(id);
      await asking.drop(id);
    },
    async choose(id) {
      const problem = await asking.choose({ id });
      await model.readSamples();
      if (problem !== undefined) return problem;
      current = kept.get(id) ?? id;
      const { chosen } = model;
      await memory.update(currentKey, chosen?.uri === undefined ? undefined : chosen.name);
      return undefined;
    },
    restore() {
      // A server that ends while this is under way leaves it to the start after that.
      restored = restored.then(async () => {
        await keepAgain();
        await chooseAgain();
        await model.readSamples();
      });
      return restored;
    },
  };
};

const currentKey = 'authgraph.currentSample';
