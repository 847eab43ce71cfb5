/** Every feature, in the order in which they are announced. */
import { definition } from './definition.ts';
import { diagnostics } from './diagnostics.ts';
import { documentHighlight } from './document-highlight.ts';
import type { Feature } from './feature.ts';
import { newConfigurations } from './new-configuration.ts';
import { references } from './references.ts';

export const features: readonly Feature[] = [
  diagnostics,
  definition,
  references,
  documentHighlight,
  newConfigurations,
];
