/** Making objects: the order of checks is the real server's. */
import { pathSegmentProblems } from '../../formats/api-names.ts';
import type { ApiError } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { StoreError } from '../../ports/store.ts';
import { metadataProblems } from '../../resources/metadata.ts';
import { withNameLabel } from '../../resources/namespace.ts';
import { textAt, withMember } from '../../resources/object-fields.ts';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { rfc3339 } from '../wire/write-review.ts';
import { admissionProblem } from './admission.ts';
import type { ApiContext } from './api-context.ts';
import { storedAnswer } from './object-answer.ts';
import { refuse, refusing } from './refusal.ts';
import { alreadyExists } from './refusals.ts';
import type { ObjectTarget } from './target.ts';
import {
  bodyOf,
  checkGrant,
  checkProblems,
  inNamespace,
  keyOf,
  noteManager,
  storable,
  storeProblem,
  type Write,
  withoutSystemFields,
} from './write.ts';

/** POST to a collection. */
export const createObject = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    const { object, options } = await bodyOf(exchange, target, 'CreateOptions');
    const placed = inNamespace(withoutSystemFields(object), target);
    const made = await create(placed, { exchange, target, context, options });
    return storedAnswer(exchange, target, { status: 201, object: made, now: context.clock.now() });
  });

/** Letters that make no words, and no two that look alike. */
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

const suffixLength = 5;

const generatedBaseLength = 63 - suffixLength;

/** Names that are tried before the client is told that none is free. */
const maxNameTries = 8;

/** Makes the object: judged, named, stored. */
export const create = async (object: JsonObject, write: Write): Promise<JsonObject> => {
  const { context, target } = write;
  const noted = noteManager(object, undefined, write);
  const generateName = textAt(noted, 'metadata', 'generateName');
  const isGenerated = textAt(noted, 'metadata', 'name') === '' && generateName !== '';
  const admission = await admissionProblem(noted, target, context);
  if (admission !== undefined) refuse(admission);
  await checkGrant(noted, undefined, write);
  for (let tries = 1; ; tries += 1) {
    const name = isGenerated ? generatedName(generateName, context) : undefined;
    const named = name === undefined ? noted : withMember(noted, ['metadata', 'name'], name);
    const ready = prepareCreate(named, write);
    try {
      return await createInStore(ready, write);
    } catch (error) {
      const isTaken = error instanceof StoreError && error.problem === 'exists';
      if (isTaken && isGenerated && tries < maxNameTries) continue;
      if (isTaken) refuse(await takenProblem(ready, write));
      throw storeProblem(error, target, ready);
    }
  }
};

/**
 * A prefix that was given is told to have made no free name, whether it was used or not; and whoever
 * waits for a deletion, that it is not done yet.
 */
const takenProblem = async (object: JsonObject, { context, target }: Write): Promise<ApiError> => {
  const plain = alreadyExists(target, textAt(object, 'metadata', 'name'));
  const problem =
    textAt(object, 'metadata', 'generateName') === ''
      ? plain
      : {
          ...plain,
          message: `${plain.message}, the server was not able to generate a unique name for the object`,
          details: { ...plain.details, retryAfterSeconds: 1 },
        };
  const taken = await context.store.get(keyOf(object, target));
  return taken === undefined || textAt(taken.object, 'metadata', 'deletionTimestamp') === ''
    ? problem
    : { ...problem, message: `object is being deleted: ${problem.message}` };
};

const generatedName = (base: string, { randomness }: ApiContext): string => {
  const letters = Array.from({ length: suffixLength }, () =>
    suffixLetters.charAt(Math.floor(randomness.fraction() * suffixLetters.length)),
  );
  return `${base.slice(0, generatedBaseLength)}${letters.join('')}`;
};

const prepareCreate = (object: JsonObject, write: Write): JsonObject => {
  const { target, context, exchange, options } = write;
  const { rules } = target;
  const stamped = withMember(
    withMember(object, ['metadata', 'uid'], context.randomness.uuid()),
    ['metadata', 'creationTimestamp'],
    rfc3339(context.clock.now()),
  );
  const prepared = rules.preparedForCreate(stamped);
  checkProblems([...rules.problems(prepared), ...rules.createProblems(prepared)], prepared, write);
  const { namespaced } = rules.row;
  checkProblems(
    metadataProblems(prepared, { namespaced, nameRule: pathSegmentProblems }),
    prepared,
    write,
  );
  exchange.warnings.push(...rules.warnings(prepared, undefined));
  const unrevised = options.isDryRun ? prepared : withoutRevision(prepared);
  return rules.row.resource === 'namespaces' ? withNameLabel(unrevised) : unrevised;
};

/** Storing looks at the revision and takes it away: nothing has one before it is stored. */
const withoutRevision = (object: JsonObject): JsonObject => {
  const stated = textAt(object, 'metadata', 'resourceVersion');
  if (/^\d+$/.test(stated) && !/^0+$/.test(stated)) {
    const message = 'resourceVersion should not be set on objects to be created';
    return refuse({ code: 500, reason: '', message });
  }
  return withMember(object, ['metadata', 'resourceVersion'], undefined);
};

const createInStore = async (object: JsonObject, { target, context, options }: Write) => {
  const key = keyOf(object, target);
  const kept = storable(object, target);
  if (!options.isDryRun) return (await context.store.create(key, kept)).object;
  if ((await context.store.get(key)) !== undefined) throw new StoreError('exists', 'dry run');
  return kept;
};
