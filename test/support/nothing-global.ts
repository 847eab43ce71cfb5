/** Checks that test files do not change the global names, environment and folder of their thread. */
import { afterAll, expect } from 'vitest';

const globalThings = () => ({
  names: Object.getOwnPropertyNames(globalThis).sort(),
  environment: { ...process.env },
  folder: process.cwd(),
});

const before = globalThings();
afterAll(() => expect(globalThings()).toEqual(before));
