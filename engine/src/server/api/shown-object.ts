/** A stored object as a client sees it. */
import type { Json, JsonObject } from '../../model/json.ts';
import { toClientDomain } from '../../resources/group-domain.ts';
import { normalForm } from '../../resources/normal-form.ts';
import { objectAt } from '../../resources/object-fields.ts';
import type { MetaVersion } from '../wire/media-type.ts';
import type { ObjectTarget } from './target.ts';

/** In the order and the domain that the client knows, with its type. */
export const shownObject = (object: JsonObject, target: ObjectTarget): JsonObject => {
  const typed = new Map<string, Json>([
    ...object,
    ['kind', target.rules.row.kind],
    ['apiVersion', target.apiVersion],
  ]);
  return normalForm(toClientDomain(typed, target.domain), target.rules.shape);
};

/** Its metadata, as an object of its own. */
export const partial = (shown: JsonObject, version: MetaVersion): JsonObject =>
  new Map<string, Json>([
    ['kind', 'PartialObjectMetadata'],
    ['apiVersion', `meta.k8s.io/${version}`],
    ['metadata', objectAt(shown, 'metadata')],
  ]);
