/** Reads the feature gates of cases; the others have the defaults of the recorded release. */
import {
  type FeatureGates,
  featureGates as knownGates,
  readGates,
} from '../../../engine/src/model/feature-gates.ts';

export interface GatedConfig {
  readonly featureGates?: Readonly<Record<string, boolean>> | null;
}

/** The minor version of the recorded release. */
export const recordedRelease = 36;

export const gatesOf = (config: GatedConfig): FeatureGates =>
  readGates(pairsOf(config), recordedRelease).gates;

export const gateFlags = (config: GatedConfig): readonly string[] =>
  pairsOf(config).map((pair) => `--feature-gates=${pair}`);

/** Gates of other parts of kube-apiserver have no effect here. */
const pairsOf = ({ featureGates }: GatedConfig): readonly string[] =>
  Object.entries(featureGates ?? {})
    .filter(([name]) => knownGates.some((gate) => gate.name === name))
    .map(([name, on]) => `${name}=${on}`);
