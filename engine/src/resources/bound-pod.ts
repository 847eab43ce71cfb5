/** The fields of a pod that its bound tokens depend on. */
import type { JsonObject } from '../model/json.ts';

export interface BoundPod {
  /** Name of its service account. */
  readonly account: string;
  /** Name of its node; empty before the pod is scheduled. */
  readonly node: string;
}

/** Reads the fields of a pod that its bound tokens depend on. */
export const boundPodOf = (pod: JsonObject): BoundPod => {
  const spec = pod.get('spec');
  const stringOf = (name: string): string => {
    const value = spec instanceof Map ? spec.get(name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { account: stringOf('serviceAccountName'), node: stringOf('nodeName') };
};
