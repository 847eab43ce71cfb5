/**
 * Objects are stored with the real server's group names. A request in another domain speaks of the
 * same groups by that domain's names: what it sends is put into the stored form, what it gets back.
 */
import { type ApiDomain, kubernetesDomain } from '../model/api-domain.ts';
import type { ApiError } from '../model/api-error.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isList, isObject } from './object-fields.ts';

/** Groups of the real server without their domain. */
const groups = [
  'admissionregistration',
  'apiextensions',
  'apiregistration',
  'authentication',
  'authorization',
  'certificates',
  'coordination',
  'discovery',
  'events',
  'flowcontrol.apiserver',
  'internal.apiserver',
  'metrics',
  'networking',
  'node',
  'rbac.authorization',
  'resource',
  'scheduling',
  'storage',
  'storagemigration',
];

const groupMapping = (from: string, to: string): ReadonlyMap<string, string> =>
  new Map(groups.map((group) => [`${group}.${from}`, `${group}.${to}`]));

/** A group in a text, as it is stored. */
const storedGroup = new RegExp(
  `(?<![\\w-])(${groups.map((group) => group.replaceAll('.', '\\.')).join('|')})\\.${kubernetesDomain.replaceAll('.', '\\.')}(?![\\w-])`,
  'g',
);

const groupMembers = new Set(['apiGroup', 'apiGroups', 'apiVersion', 'APIGroup']);

/** As it is stored. */
export const toStoredDomain = (object: JsonObject, domain: ApiDomain): JsonObject =>
  domain === kubernetesDomain ? object : translate(object, groupMapping(domain, kubernetesDomain));

/** As a client of the domain reads it. */
export const toClientDomain = (object: JsonObject, domain: ApiDomain): JsonObject =>
  domain === kubernetesDomain ? object : translate(object, groupMapping(kubernetesDomain, domain));

/** A refusal that was worded in the stored form. */
export const errorToClientDomain = (error: ApiError, domain: ApiDomain): ApiError => {
  if (domain === kubernetesDomain) return error;
  const translateString = (text: string): string =>
    text.replaceAll(storedGroup, (_, group: string) => `${group}.${domain}`);
  const { details } = error;
  if (details === undefined) return { ...error, message: translateString(error.message) };
  const causes = details.causes?.map((cause) => ({
    ...cause,
    message: translateString(cause.message),
  }));
  return {
    ...error,
    message: translateString(error.message),
    details: {
      ...details,
      ...(details.group === undefined ? {} : { group: translateString(details.group) }),
      ...(causes === undefined ? {} : { causes }),
    },
  };
};

const translate = (object: JsonObject, names: ReadonlyMap<string, string>): JsonObject =>
  new Map(
    [...object].map(([name, value]) => [
      name,
      groupMembers.has(name) ? translateGroups(value, names) : translateInside(value, names),
    ]),
  );

const translateInside = (value: Json, names: ReadonlyMap<string, string>): Json => {
  if (isList(value)) return value.map((item) => translateInside(item, names));
  return isObject(value) ? translate(value, names) : value;
};

/** `group` and `group/version`, alone or in a list. */
const translateGroups = (value: Json, names: ReadonlyMap<string, string>): Json => {
  if (isList(value)) return value.map((item) => translateGroups(item, names));
  if (typeof value !== 'string') return translateInside(value, names);
  const [group = '', ...version] = value.split('/');
  return [names.get(group) ?? group, ...version].join('/');
};
