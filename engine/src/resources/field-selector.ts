/** Parses field selectors of queries: `metadata.name=x,type!=y`. */
import type { JsonObject } from '../model/json.ts';
import type { KindRules } from './kind-rules.ts';
import type { SelectorReading } from './label-selector.ts';
import { stringAt } from './object-fields.ts';

export type FieldSelector = (object: JsonObject) => boolean;

export interface FieldSelection {
  readonly matches: FieldSelector;
  /** The name that the selector requires, if there is one. */
  readonly name: string | undefined;
  /** The namespace that the selector requires, if there is one. */
  readonly namespace: string | undefined;
}

export interface FieldTerm {
  readonly field: string;
  readonly value: string;
  readonly isEqual: boolean;
}

/** Parses the terms of a selector, sorted by their text, independent of the kind. */
export const readFieldTerms = (text: string): SelectorReading<readonly FieldTerm[]> => {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).sort()) {
    if (part === '') continue;
    const term = /^(?<field>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(part)?.groups;
    if (term === undefined) {
      return failed(`invalid selector: '${text}'; can't understand '${part}'`);
    }
    // An empty term selects everything.
    if (term.field === '' && term.value === '' && term.operator !== '!=') continue;
    const value = unescaped(term.value ?? '');
    if (value.kind === 'error') return failed(value.message);
    terms.push({ field: term.field ?? '', value: value.text, isEqual: term.operator !== '!=' });
  }
  return { kind: 'selector', isEmpty: terms.length === 0, selector: terms };
};

/** Returns the name that the terms require. */
export const selectedName = (terms: readonly FieldTerm[]): string | undefined =>
  selectedValue(terms, 'metadata.name');

const selectedValue = (terms: readonly FieldTerm[], wanted: string): string | undefined =>
  terms.find(({ field, isEqual }) => field === wanted && isEqual)?.value;

/** Parses a selector for a kind; fields that are not selectable in that kind are an error. */
export const parseFieldSelector = (
  text: string,
  rules: KindRules,
): SelectorReading<FieldSelection> => {
  const reading = readFieldTerms(text);
  if (reading.kind === 'error') return reading;
  const { selector: terms, isEmpty } = reading;
  const unknown = terms.find(({ field }) => !isSelectable(field, rules));
  if (unknown !== undefined) return failed(unsupported(unknown.field, rules));
  return {
    kind: 'selector',
    isEmpty,
    selector: {
      name: selectedName(terms),
      namespace: selectedValue(terms, 'metadata.namespace'),
      matches: (object) =>
        terms.every(
          ({ field, value, isEqual }) => (valueAt(object, field, rules) === value) === isEqual,
        ),
    },
  };
};

const failed = (message: string) => ({ kind: 'error' as const, message });

/**
 * Resources with selectable fields of their own; their error message does not list the supported
 * fields.
 */
const resourcesWithOwnFields = new Set(['pods', 'nodes', 'namespaces', 'secrets']);

const unsupported = (field: string, { row }: KindRules): string =>
  resourcesWithOwnFields.has(row.resource)
    ? `field label not supported: ${field}`
    : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

const podFields = new Set([
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.podIPs',
  'status.nominatedNodeName',
]);

const isSelectable = (field: string, rules: KindRules): boolean => {
  if (field === 'metadata.name') return true;
  const { resource } = rules.row;
  if (field === 'metadata.namespace') return resource !== 'nodes' && resource !== 'namespaces';
  if (resource === 'pods') return podFields.has(field);
  return rules.selectableFields(new Map()).has(field);
};

const valueAt = (object: JsonObject, field: string, rules: KindRules): string => {
  if (field === 'metadata.name') return stringAt(object, 'metadata', 'name');
  if (field === 'metadata.namespace') return stringAt(object, 'metadata', 'namespace');
  return rules.selectableFields(object).get(field) ?? stringAt(object, ...field.split('.'));
};

/** Splits at commas that are not escaped. */
const splitTerms = (text: string): string[] => text.match(/(?:[^,\\]|\\[\s\S]|\\$)+/g) ?? [];

const unescaped = (
  text: string,
):
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string } => {
  let result = '';
  const characters = [...text];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (character === '\\') {
      const next = characters[index + 1] ?? '';
      if (!['\\', ',', '='].includes(next) || next === '') {
        return failed(`invalid field selector: invalid escape sequence: \\${next}`);
      }
      result += next;
      index += 1;
    } else if (character === ',' || character === '=') {
      const code = character.codePointAt(0) ?? 0;
      return failed(`invalid field selector: unescaped character in value: ${code}`);
    } else result += character;
  }
  return { kind: 'text', text: result };
};
