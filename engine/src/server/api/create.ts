/** Creates objects; the checks have kube-apiserver's order. */
import { pathSegmentProblems } from '../../formats/api-names.ts';
import type { ApiError } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { StoreError } from '../../ports/store.ts';
import { validateObjectMeta } from '../../resources/metadata.ts';
import { withNameLabel } from '../../resources/namespace.ts';
import { stringAt, withMember } from '../../resources/object-fields.ts';
import { rfc3339 } from '../wire/write-review.ts';
import { admissionProblem } from './admission.ts';
import type { ApiContext } from './api-context.ts';
import { alreadyExists } from './object-errors.ts';
import { storedObjectResponse } from './object-response.ts';
import { throwStatus, withStatusErrors } from './status-error.ts';
import {
  bodyOf,
  checkGrant,
  checkProblems,
  inNamespace,
  keyOf,
  recordFieldManager,
  storable,
  storeStatusError,
  type Write,
  withoutSystemFields,
} from './write.ts';

/** Handles POST to a collection. */
export const createObject = withStatusErrors(async (exchange, target, context) => {
  const { object, options } = await bodyOf(exchange, target, 'CreateOptions');
  const placed = inNamespace(withoutSystemFields(object), target);
  const created = await create(placed, { exchange, target, context, options });
  return storedObjectResponse(exchange, target, {
    status: 201,
    object: created,
    now: context.clock.now(),
  });
});

/**
 * kube-apiserver's alphabet of generated names, which forms no words and has no similar characters.
 */
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

const suffixLength = 5;

const generatedBaseLength = 63 - suffixLength;

/** The number of generated names that are tried. */
const maxNameTries = 8;

/** Admits, names, validates and stores the object. */
export const create = async (object: JsonObject, write: Write): Promise<JsonObject> => {
  const { context, target } = write;
  const managed = recordFieldManager(object, undefined, write);
  const generateName = stringAt(managed, 'metadata', 'generateName');
  const isGenerated = stringAt(managed, 'metadata', 'name') === '' && generateName !== '';
  const admission = await admissionProblem(managed, target, context);
  if (admission !== undefined) throwStatus(admission);
  await checkGrant(managed, undefined, write);
  for (let tries = 1; ; tries += 1) {
    const name = isGenerated ? generatedName(generateName, context) : undefined;
    const named = name === undefined ? managed : withMember(managed, ['metadata', 'name'], name);
    const ready = prepareCreate(named, write);
    try {
      return await createInStore(ready, write);
    } catch (error) {
      const isTaken = error instanceof StoreError && error.problem === 'exists';
      if (isTaken && isGenerated && tries < maxNameTries) continue;
      if (isTaken) throwStatus(await nameTakenError(ready, write));
      throw storeStatusError(error, target, ready);
    }
  }
};

/**
 * Returns the error of a taken name. It mentions the generated name if the object has a
 * `generateName`, even an unused one, and a pending deletion of the existing object.
 */
const nameTakenError = async (
  object: JsonObject,
  { context, target }: Write,
): Promise<ApiError> => {
  const plain = alreadyExists(target, stringAt(object, 'metadata', 'name'));
  const problem =
    stringAt(object, 'metadata', 'generateName') === ''
      ? plain
      : {
          ...plain,
          message: `${plain.message}, the server was not able to generate a unique name for the object`,
          details: { ...plain.details, retryAfterSeconds: 1 },
        };
  const taken = await context.store.get(keyOf(object, target));
  return taken === undefined || stringAt(taken.object, 'metadata', 'deletionTimestamp') === ''
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
  const prepared = rules.prepareForCreate(stamped);
  checkProblems([...rules.validate(prepared), ...rules.validateCreate(prepared)], prepared, write);
  const { namespaced } = rules.row;
  checkProblems(
    validateObjectMeta(prepared, { namespaced, nameRule: pathSegmentProblems }),
    prepared,
    write,
  );
  exchange.warnings.push(...rules.warnings(prepared, undefined));
  const unrevised = options.isDryRun ? prepared : withoutRevision(prepared);
  return rules.row.resource === 'namespaces' ? withNameLabel(unrevised) : unrevised;
};

/** Rejects a resource version, which an object cannot have before it is stored. */
const withoutRevision = (object: JsonObject): JsonObject => {
  const stated = stringAt(object, 'metadata', 'resourceVersion');
  if (/^\d+$/.test(stated) && !/^0+$/.test(stated)) {
    const message = 'resourceVersion should not be set on objects to be created';
    return throwStatus({ code: 500, reason: '', message });
  }
  return withMember(object, ['metadata', 'resourceVersion'], undefined);
};

const createInStore = async (object: JsonObject, { target, context, options }: Write) => {
  const key = keyOf(object, target);
  const stored = storable(object, target);
  if (!options.isDryRun) return (await context.store.create(key, stored)).object;
  if ((await context.store.get(key)) !== undefined) throw new StoreError('exists', 'dry run');
  return stored;
};
