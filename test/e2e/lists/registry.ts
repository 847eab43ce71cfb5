/** The lists of steps in the order in which they run. */
import type { Play } from '../stage.ts';
import { accessibility } from './accessibility.ts';
import { authoring } from './authoring.ts';
import { changes } from './changes.ts';
import { explain } from './explain.ts';
import { firstMinute } from './first-minute.ts';
import { hostile } from './hostile.ts';
import { issuers } from './issuers.ts';
import { keyboard } from './keyboard.ts';
import { looks } from './looks.ts';
import { many } from './many.ts';
import { previews } from './previews.ts';
import { results } from './results.ts';
import { samples } from './samples.ts';
import { showcase } from './showcase.ts';
import { sizes } from './sizes.ts';
import { testing } from './testing.ts';
import { trust } from './trust.ts';
import { verdicts } from './verdicts.ts';
import { workspace } from './workspace.ts';

export interface StepList {
  readonly name: string;
  /** Runs only if it is named. */
  readonly isExtra?: true;
  play(play: Play): Promise<void>;
}

export const lists: readonly StepList[] = [
  { name: 'first-minute', play: firstMinute },
  { name: 'authoring', play: authoring },
  { name: 'samples', play: samples },
  { name: 'previews', play: previews },
  { name: 'verdicts', play: verdicts },
  { name: 'many', play: many },
  { name: 'explain', play: explain },
  { name: 'changes', play: changes },
  { name: 'workspace', play: workspace },
  { name: 'results', play: results },
  { name: 'issuers', play: issuers },
  { name: 'keyboard', play: keyboard },
  { name: 'accessibility', play: accessibility },
  { name: 'looks', play: looks },
  { name: 'sizes', play: sizes },
  { name: 'testing', play: testing },
  { name: 'trust', play: trust },
  { name: 'hostile', play: hostile },
  { name: 'showcase', isExtra: true, play: showcase },
];
