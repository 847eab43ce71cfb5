/** The representation of stored objects for clients. */
import type { Json, JsonObject } from '../../model/json.ts';
import { toClientDomain } from '../../resources/group-domain.ts';
import { normalForm } from '../../resources/normal-form.ts';
import { objectAt } from '../../resources/object-fields.ts';
import type { MetaVersion } from '../wire/media-type.ts';
import type { ObjectTarget } from './target.ts';

/** Converts an object to the field order and the API domain of the client, with its type. */
export const shownObject = (object: JsonObject, target: ObjectTarget): JsonObject => {
  const typed = new Map<string, Json>([
    ...object,
    ['kind', target.rules.row.kind],
    ['apiVersion', target.apiVersion],
  ]);
  return normalForm(toClientDomain(typed, target.domain), target.rules.shape);
};

/** Returns the metadata as a PartialObjectMetadata. */
export const partial = (shown: JsonObject, version: MetaVersion): JsonObject =>
  new Map<string, Json>([
    ['kind', 'PartialObjectMetadata'],
    ['apiVersion', `meta.k8s.io/${version}`],
    ['metadata', objectAt(shown, 'metadata')],
  ]);
