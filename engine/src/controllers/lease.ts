/** The Lease of a leader election: `coordination.k8s.io/v1` as client-go's LeaseLock writes it. */
import type { Json, JsonObject } from '../model/json.ts';
import type { ObjectKey } from '../ports/store.ts';

/** client-go's LeaderElectionRecord; times are milliseconds since 1970. */
export interface LeaderRecord {
  /** Empty after the leader has released the Lease. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquiredAt: number;
  readonly renewedAt: number;
  readonly transitions: number;
}

/** Returns the object with a new record, and with the metadata of the existing one, if any. */
export const leaseOf = (key: ObjectKey, record: LeaderRecord, existing?: JsonObject): JsonObject =>
  new Map<string, Json>([
    ['apiVersion', 'coordination.k8s.io/v1'],
    ['kind', 'Lease'],
    ['metadata', existing?.get('metadata') ?? metadataOf(key)],
    [
      'spec',
      new Map<string, Json>([
        ['holderIdentity', record.holder],
        ['leaseDurationSeconds', record.durationSeconds],
        ['acquireTime', microTime(record.acquiredAt)],
        ['renewTime', microTime(record.renewedAt)],
        ['leaseTransitions', record.transitions],
      ]),
    ],
  ]);

const metadataOf = ({ namespace, name }: ObjectKey): JsonObject =>
  new Map<string, Json>([
    ['name', name],
    ['namespace', namespace],
  ]);

/** Returns the record of a Lease; absent or malformed fields are empty, as in client-go. */
export const recordOf = (lease: JsonObject): LeaderRecord => {
  const spec = lease.get('spec');
  const field = (name: string): Json => (spec instanceof Map ? (spec.get(name) ?? null) : null);
  const text = (name: string): string => {
    const value = field(name);
    return typeof value === 'string' ? value : '';
  };
  const integer = (name: string): number => {
    const value = field(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
  };
  const time = (name: string): number => Date.parse(text(name)) || 0;
  return {
    holder: text('holderIdentity'),
    durationSeconds: integer('leaseDurationSeconds'),
    acquiredAt: time('acquireTime'),
    renewedAt: time('renewTime'),
    transitions: integer('leaseTransitions'),
  };
};

/** Kubernetes' MicroTime: six digits of a second. */
const microTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('Z', '000Z');
