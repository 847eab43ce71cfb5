/** Validates the metadata of objects when they are created or updated. */
import {
  dnsLabelProblems,
  labelKeyProblems,
  labelValueProblems,
  pathSegmentProblems,
} from '../formats/api-names.ts';
import { goQuote } from '../formats/go-quote.ts';
import { sameJson } from '../formats/json-as-maps.ts';
import type { JsonObject } from '../model/json.ts';
import {
  errorsOfItems,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from './field-error.ts';
import { memberAt, objectAt, objectsAt, stringAt, stringsAt } from './object-fields.ts';

export type NameRule = (name: string) => readonly string[];

/** Maximum size of all annotations of an object together. */
const annotationBytes = 256 * 1024;

/**
 * Validates the metadata of an object of a certain kind: the general rules, and which finalizers
 * are allowed.
 */
export const validateKindMetadata = (
  object: JsonObject,
  rules: { readonly namespaced: boolean; readonly nameRule: NameRule },
): readonly FieldError[] => [
  ...validateObjectMeta(object, rules),
  ...validateKindFinalizers(objectAt(object, 'metadata')),
];

const validateKindFinalizers = (metadata: JsonObject): readonly FieldError[] =>
  errorsOfItems(stringsAt(metadata, 'finalizers'), (name, index) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, name, notStandardFinalizer)],
  );

/** Finalizers that need no domain prefix. */
export const standardFinalizers: ReadonlySet<string> = new Set([
  'kubernetes',
  'orphan',
  'foregroundDeletion',
]);

/** Error for an unknown finalizer without a domain prefix. */
export const notStandardFinalizer =
  'name is neither a standard finalizer name nor is it fully qualified';

/** Validates the metadata of an object on its own. */
export const validateObjectMeta = (
  object: JsonObject,
  { namespaced, nameRule }: { readonly namespaced: boolean; readonly nameRule: NameRule },
): readonly FieldError[] => {
  const metadata = objectAt(object, 'metadata');
  const name = stringAt(metadata, 'name');
  const generateName = stringAt(metadata, 'generateName');
  return [
    ...(generateName === ''
      ? []
      : nameRule(maskTrailingDash(generateName, nameRule)).map((problem) =>
          invalidValue('metadata.generateName', generateName, problem),
        )),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : nameRule(name).map((problem) => invalidValue('metadata.name', name, problem))),
    ...validateNamespaceField(stringAt(metadata, 'namespace'), namespaced),
    ...validateGeneration(metadata),
    ...validateLabels(objectAt(metadata, 'labels'), 'metadata.labels'),
    ...validateAnnotations(objectAt(metadata, 'annotations')),
    ...validateOwnerReferences(objectsAt(metadata, 'ownerReferences')),
    ...validateFinalizers(stringsAt(metadata, 'finalizers')),
  ];
};

/**
 * Prepares a name prefix for validation, like kube-apiserver's maskTrailingDash: a prefix may end
 * with a dash, and the character before the dash is not validated either.
 */
const maskTrailingDash = (prefix: string, nameRule: NameRule): string =>
  nameRule !== pathSegmentProblems && prefix.length > 1 && prefix.endsWith('-')
    ? `${prefix.slice(0, -2)}a`
    : prefix;

/** Validates an update of the metadata of an object of a certain kind. */
export const validateKindMetadataUpdate = (
  object: JsonObject,
  old: JsonObject,
): readonly FieldError[] => [
  ...validateObjectMetaUpdate(object, old),
  ...validateKindFinalizers(objectAt(object, 'metadata')),
];

/** Validates an update of the metadata. */
export const validateObjectMetaUpdate = (
  object: JsonObject,
  old: JsonObject,
): readonly FieldError[] => {
  const metadata = objectAt(object, 'metadata');
  const before = objectAt(old, 'metadata');
  const problems: FieldError[] = [];
  if (before.has('deletionTimestamp')) {
    const known = stringsAt(before, 'finalizers');
    const extra = [...new Set(stringsAt(metadata, 'finalizers'))]
      .filter((name) => !known.includes(name))
      .sort();
    if (extra.length > 0) {
      const shown = `[]string{${extra.map(goQuote).join(', ')}}`;
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
      problems.push(forbiddenField('metadata.finalizers', detail));
    }
  }
  if (stringAt(metadata, 'resourceVersion') === '') {
    problems.push(invalidValue('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  for (const name of ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp']) {
    const value = stringAt(metadata, name);
    if (value === stringAt(before, name)) continue;
    problems.push(invalidValue(`metadata.${name}`, value, 'field is immutable'));
  }
  const grace = memberAt(metadata, 'deletionGracePeriodSeconds');
  if (!sameJson(grace, memberAt(before, 'deletionGracePeriodSeconds'))) {
    const field = 'metadata.deletionGracePeriodSeconds';
    problems.push(invalidValue(field, grace ?? null, 'field is immutable'));
  }
  return [
    ...problems,
    ...validateLabels(objectAt(metadata, 'labels'), 'metadata.labels'),
    ...validateAnnotations(objectAt(metadata, 'annotations')),
    ...validateOwnerReferences(objectsAt(metadata, 'ownerReferences')),
  ];
};

const validateNamespaceField = (namespace: string, namespaced: boolean): readonly FieldError[] => {
  const field = 'metadata.namespace';
  if (!namespaced) {
    return namespace === '' ? [] : [forbiddenField(field, 'not allowed on this type')];
  }
  if (namespace === '') return [required(field)];
  return dnsLabelProblems(namespace).map((problem) => invalidValue(field, namespace, problem));
};

const validateGeneration = (metadata: JsonObject): readonly FieldError[] => {
  const generation = metadata.get('generation');
  return typeof generation === 'number' && generation < 0
    ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')]
    : [];
};

/** Validates labels, or the labels of a selector; the errors name the map, not its member. */
const validateLabels = (labels: JsonObject, field: string): readonly FieldError[] =>
  errorsOfItems(labels, ([key, value]) => {
    const shown = typeof value === 'string' ? value : '';
    return [
      ...labelKeyProblems(key).map((problem) => invalidValue(field, key, problem)),
      ...labelValueProblems(shown).map((problem) => invalidValue(field, shown, problem)),
    ];
  });

const validateAnnotations = (annotations: JsonObject): readonly FieldError[] => {
  const field = 'metadata.annotations';
  const utf8 = new TextEncoder();
  let size = 0;
  const problems = errorsOfItems(annotations, ([key, value]) => {
    size += utf8.encode(key).length;
    if (typeof value === 'string') size += utf8.encode(value).length;
    return labelKeyProblems(key.toLowerCase()).map((problem) => invalidValue(field, key, problem));
  });
  return size > annotationBytes ? [...problems, tooLong(field, annotationBytes)] : problems;
};

const validateOwnerReferences = (owners: readonly JsonObject[]): readonly FieldError[] => {
  const field = 'metadata.ownerReferences';
  let controller = '';
  return errorsOfItems(owners, (owner) => {
    const problems: FieldError[] = [];
    const apiVersion = stringAt(owner, 'apiVersion');
    const [version = '', ...group] = apiVersion.split('/').reverse();
    if (version === '' || group.length > 1) {
      problems.push(invalidValue(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
    }
    for (const name of ['kind', 'name', 'uid']) {
      if (stringAt(owner, name) !== '') continue;
      problems.push(invalidValue(`${field}.${name}`, '', 'must not be empty'));
    }
    if (apiVersion === 'v1' && stringAt(owner, 'kind') === 'Event') {
      problems.push(
        invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner'),
      );
    }
    if (owner.get('controller') !== true) return problems;
    const shown = `${stringAt(owner, 'kind')}/${stringAt(owner, 'name')}`;
    if (controller === '') controller = shown;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${shown}`;
      problems.push(invalidValue(field, owners, detail));
    }
    return problems;
  });
};

const validateFinalizers = (finalizers: readonly string[]): readonly FieldError[] => {
  const field = 'metadata.finalizers';
  const problems = [
    ...errorsOfItems(finalizers, (name) =>
      labelKeyProblems(name).map((problem) => invalidValue(field, name, problem)),
    ),
  ];
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    problems.push(invalidValue(field, finalizers, detail));
  }
  return problems;
};

/** Validates a LabelSelector within an object. */
export const validateLabelSelector = (
  selector: JsonObject,
  field: string,
): readonly FieldError[] => [
  ...validateLabels(objectAt(selector, 'matchLabels'), `${field}.matchLabels`),
  ...errorsOfItems(objectsAt(selector, 'matchExpressions'), (requirement, index) =>
    validateSelectorRequirement(requirement, `${field}.matchExpressions[${index}]`),
  ),
];

const validateSelectorRequirement = (
  requirement: JsonObject,
  field: string,
): readonly FieldError[] => {
  const operator = stringAt(requirement, 'operator');
  const values = stringsAt(requirement, 'values');
  const problems: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      const detail = "must be specified when `operator` is 'In' or 'NotIn'";
      problems.push(required(`${field}.values`, detail));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      problems.push(forbiddenField(`${field}.values`, detail));
    }
  } else
    problems.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  const key = stringAt(requirement, 'key');
  problems.push(...labelKeyProblems(key).map((text) => invalidValue(`${field}.key`, key, text)));
  for (const [index, value] of values.entries()) {
    const place = `${field}.values[${index}]`;
    problems.push(...labelValueProblems(value).map((text) => invalidValue(place, value, text)));
  }
  return problems;
};
