/** What the tokens of a pod need to know of it. */
import type { JsonObject } from '../model/json.ts';

export interface BoundPod {
  /** Name of its service account. */
  readonly account: string;
  /** Empty before it has one. */
  readonly node: string;
}

/** What a token that is bound to the pod needs to know of it. */
export const boundPodOf = (pod: JsonObject): BoundPod => {
  const spec = pod.get('spec');
  const stringOf = (name: string): string => {
    const value = spec instanceof Map ? spec.get(name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { account: stringOf('serviceAccountName'), node: stringOf('nodeName') };
};
