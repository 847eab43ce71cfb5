/** Choosing the sample that previews show. */
import type { Stage } from './stage.ts';

/** Through the palette and the picker. */
export const chooseSample = async ({ window }: Stage, name: string): Promise<void> => {
  await window.command('authgraph.selectSample');
  await window.choose(name);
  await window.status(name).waitFor();
};
