/** `metadata.name=x,type!=y`: field selectors of queries. */
import type { JsonObject } from '../model/json.ts';
import type { KindRules } from './kind-rules.ts';
import type { SelectorReading } from './label-selector.ts';
import { stringAt } from './object-fields.ts';

export type FieldSelector = (object: JsonObject) => boolean;

export interface FieldSelection {
  readonly matches: FieldSelector;
  /** The one name that is selected, where a term says so. */
  readonly name: string | undefined;
  /** The one namespace, likewise. */
  readonly namespace: string | undefined;
}

export interface FieldTerm {
  readonly field: string;
  readonly value: string;
  readonly isEqual: boolean;
}

/** The terms in the order of their texts, whatever kind they are about. */
export const readFieldTerms = (text: string): SelectorReading<readonly FieldTerm[]> => {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).sort()) {
    if (part === '') continue;
    const term = /^(?<field>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(part)?.groups;
    if (term === undefined) {
      return failed(`invalid selector: '${text}'; can't understand '${part}'`);
    }
    // Nothing equal to nothing selects everything.
    if (term.field === '' && term.value === '' && term.operator !== '!=') continue;
    const value = unescaped(term.value ?? '');
    if (value.kind === 'error') return failed(value.message);
    terms.push({ field: term.field ?? '', value: value.text, isEqual: term.operator !== '!=' });
  }
  return { kind: 'selector', isEmpty: terms.length === 0, selector: terms };
};

/** The name that the terms leave alone. */
export const selectedName = (terms: readonly FieldTerm[]): string | undefined =>
  selectedValue(terms, 'metadata.name');

const selectedValue = (terms: readonly FieldTerm[], wanted: string): string | undefined =>
  terms.find(({ field, isEqual }) => field === wanted && isEqual)?.value;

/** Reads a selector for a kind; fields that the kind does not let be selected are an error. */
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

/** Kinds with a list of their own say less when a field is not on it. */
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

/** At commas that no backslash stands before. */
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
