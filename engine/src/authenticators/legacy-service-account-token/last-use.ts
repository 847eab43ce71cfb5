/**
 * Secrets whose tokens are used carry the day of it as a label, so that somebody can clean up. It is
 * written beside the request: what keeps it from being written is logged and changes nothing.
 */
import type { JsonObject } from '../../model/json.ts';
import type { Ports } from '../../ports/ports.ts';
import { type ObjectKey, type Store, StoreError } from '../../ports/store.ts';
import { type LiveObject, liveObject } from '../../resources/live-object.ts';
import { withMember } from '../../resources/object-fields.ts';

const lastUsedLabel = 'legacy-token-last-used';

/** Secrets that are written to at the same time; more wait for the next use of their token. */
const maxPending = 64;

/** Milliseconds. */
const oneDay = 86_400_000;

/** The domain is that of the label's name. Gives a function that notes the use of a secret's token, and comes back at once. */
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
        log.event('error', 'legacy token not labelled with the day of its last use', {
          secret: place,
          error,
        });
      })
      .finally(() => pending.delete(place));
  };
};

/** `2026-11-21`, in UTC. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Tomorrow counts too: another server's clock may be ahead. */
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
