/** Files that share a thread leave its global things as they were: names, environment, folder. */
import { afterAll, expect } from 'vitest';

const globalThings = () => ({
  names: Object.getOwnPropertyNames(globalThis).sort(),
  environment: { ...process.env },
  folder: process.cwd(),
});

const before = globalThings();
afterAll(() => expect(globalThings()).toEqual(before));
