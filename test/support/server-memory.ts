/** Creates the memory budget of a listener for tests, ample by default. */
import { ConnectionMemory } from '../../engine/src/server/memory/connection-memory.ts';
import { type MemoryBudget, memoryBudget } from '../../engine/src/server/memory/memory-budget.ts';
import { ServerMemory, type ShareName } from '../../engine/src/server/memory/server-memory.ts';

export const gibibyte = 2 ** 30;

export const serverMemory = (
  budget: Partial<MemoryBudget> = {},
  onEvicted: (share: ShareName) => void = () => {},
): ServerMemory =>
  new ServerMemory({ budget: { ...memoryBudget(8 * gibibyte), ...budget }, onEvicted });

/** A connection without a socket. */
export const connectionMemory = (
  memory = serverMemory(),
  client = '127.0.0.1',
  close = () => {},
): ConnectionMemory => new ConnectionMemory(memory, client, close);
