/**
 * Labels Secrets with the day their token was last used, so that unused ones can be found. The
 * label is written in the background; failures are logged and do not affect the request.
 */
import type { JsonObject } from '../../model/json.ts';
import type { Ports } from '../../ports/ports.ts';
import { type ObjectKey, type Store, StoreError } from '../../ports/store.ts';
import { type LiveObject, liveObject } from '../../resources/live-object.ts';
import { withMember } from '../../resources/object-fields.ts';

const lastUsedLabel = 'legacy-token-last-used';

/** Secrets that are updated concurrently; further ones wait for the next use of their token. */
const maxPending = 64;

/** Milliseconds in a day. */
const oneDay = 86_400_000;

/**
 * Returns a function that records the use of a Secret's token and does not wait. `domain` is part
 * of the label's name.
 */
export const lastUseRecorder = (
  store: Pick<Store, 'get' | 'update'> | undefined,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  domain: string,
): ((secret: LiveObject) => void) => {
  const label = `${domain}/${lastUsedLabel}`;
  const pending = new Set<string>();
  return (secret) => {
    const today = dayOf(clock.now());
    if (store === undefined || isRecorded(secret, label, today)) return;
    const { namespace, name, uid } = secret;
    const place = `${namespace}/${name}`;
    if (pending.has(place) || pending.size >= maxPending) return;
    pending.add(place);
    void write(store, { resource: 'secrets', namespace, name }, { uid, label, today })
      .catch((cause: unknown) => {
        const error = cause instanceof StoreError ? cause.message : 'store failed';
        log.event(
          'error',
          'failed to label the Secret of a legacy token with the day of its last use',
          {
            secret: place,
            error,
          },
        );
      })
      .finally(() => pending.delete(place));
  };
};

/** Formats a time as a UTC date: `2026-11-21`. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/**
 * Returns true if the label is of today, or of tomorrow: the clock of another server may be ahead.
 */
const isRecorded = (secret: LiveObject, label: string, today: string): boolean => {
  const recorded = secret.label(label);
  return recorded === today || recorded === dayOf(Date.parse(today) + oneDay);
};

const write = async (
  store: Pick<Store, 'get' | 'update'>,
  key: ObjectKey,
  { uid, label, today }: { readonly uid: string; readonly label: string; readonly today: string },
): Promise<void> => {
  const stored = await store.get(key);
  if (stored === undefined) return;
  const secret = liveObject(stored.object);
  if (secret.uid !== uid || isRecorded(secret, label, today)) return;
  await store.update(key, withLabel(stored.object, label, today), { revision: stored.revision });
};

const withLabel = (object: JsonObject, label: string, today: string): JsonObject =>
  withMember(object, ['metadata', 'labels', label], today);
