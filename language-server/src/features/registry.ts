/** Every feature, in the order in which they are announced. */
import { diagnostics } from './diagnostics.ts';
import type { Feature } from './feature.ts';

export const features: readonly Feature[] = [diagnostics];
