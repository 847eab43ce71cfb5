/** Feature gates of cases; what a case does not name is as the recorded release has it. */
import {
  type FeatureGates,
  featureGates as knownGates,
  readGates,
} from '../../../engine/src/model/feature-gates.ts';

export interface GatedConfig {
  readonly featureGates?: Readonly<Record<string, boolean>> | null;
}

/** The minor version of the release that answered. */
export const recordedRelease = 36;

export const gatesOf = (config: GatedConfig): FeatureGates =>
  readGates(pairsOf(config), recordedRelease).gates;

export const gateFlags = (config: GatedConfig): readonly string[] =>
  pairsOf(config).map((pair) => `--feature-gates=${pair}`);

/** Gates of other parts of the recorded server change nothing here. */
const pairsOf = ({ featureGates }: GatedConfig): readonly string[] =>
  Object.entries(featureGates ?? {})
    .filter(([name]) => knownGates.some((gate) => gate.name === name))
    .map(([name, on]) => `${name}=${on}`);
