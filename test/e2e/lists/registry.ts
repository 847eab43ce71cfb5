/** The lists of steps, in the order in which they are played. */
import type { Play } from '../stage.ts';
import { authoring } from './authoring.ts';
import { hostile } from './hostile.ts';

export interface StepList {
  readonly name: string;
  play(play: Play): Promise<void>;
}

export const lists: readonly StepList[] = [
  { name: 'authoring', play: authoring },
  { name: 'hostile', play: hostile },
];
