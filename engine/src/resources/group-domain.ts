/**
 * Converts API group names between domains. Objects are stored with kube-apiserver's group names.
 * Requests in another domain use that domain's names for the same groups: their objects are
 * converted to the stored form, and the responses back.
 */
import { type ApiDomain, kubernetesDomain } from '../model/api-domain.ts';
import type { ApiError } from '../model/api-error.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isList, isObject } from './object-fields.ts';

/** Groups of kube-apiserver without their domain. */
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

/** Matches a stored group name in a text. */
const storedGroup = new RegExp(
  `(?<![\\w-])(${groups.map((group) => group.replaceAll('.', '\\.')).join('|')})\\.${kubernetesDomain.replaceAll('.', '\\.')}(?![\\w-])`,
  'g',
);

const groupMembers = new Set(['apiGroup', 'apiGroups', 'apiVersion', 'APIGroup']);

/** Converts an object to the stored form. */
export const toStoredDomain = (object: JsonObject, domain: ApiDomain): JsonObject =>
  domain === kubernetesDomain ? object : translate(object, groupMapping(domain, kubernetesDomain));

/** Converts a stored object to the client's domain. */
export const toClientDomain = (object: JsonObject, domain: ApiDomain): JsonObject =>
  domain === kubernetesDomain ? object : translate(object, groupMapping(kubernetesDomain, domain));

/** Converts an error message from the stored form to the client's domain. */
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

/** Converts `group` and `group/version`, alone or in a list. */
const translateGroups = (value: Json, names: ReadonlyMap<string, string>): Json => {
  if (isList(value)) return value.map((item) => translateGroups(item, names));
  if (typeof value !== 'string') return translateInside(value, names);
  const [group = '', ...version] = value.split('/');
  return [names.get(group) ?? group, ...version].join('/');
};
