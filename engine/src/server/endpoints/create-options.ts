/** The query parameters of write requests, validated as in kube-apiserver. */
import { goQuote } from '../../formats/go-quote.ts';
import { type ApiErrorCause, invalid } from '../../model/api-error.ts';
import { forbiddenField, notSupported, tooLong } from '../../resources/field-error.ts';
import { throwStatus } from '../api/status-error.ts';
import { queryValue, type Target } from '../http/target.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface CreateOptions {
  readonly fieldValidation: FieldValidation;
  /** Empty if absent. */
  readonly fieldManager: string;
  /** The request is answered without storing anything. */
  readonly isDryRun: boolean;
}

const fieldManagerLimit = 128;

/** kube-apiserver's names of the options; `PatchOptions` has one more parameter. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/**
 * Reads the options. Throws a `StatusError` with all errors, in kube-apiserver's order: force, field
 * manager, dry run, field validation.
 */
export const createOptions = (
  target: Target,
  kind: OptionsKind = 'CreateOptions',
): CreateOptions => {
  if (target.query.size === 0) return noOptions;
  const fieldManager = queryValue(target, 'fieldManager');
  const validation = queryValue(target, 'fieldValidation');
  const dryRun = target.query.get('dryRun') ?? [];
  const causes = [
    ...(kind === 'PatchOptions' && target.query.has('force')
      ? [forbiddenField('force', 'may not be specified for non-apply patch')]
      : []),
    ...(fieldManager === '' ? [] : fieldManagerProblems(fieldManager)),
    ...dryRunProblems(dryRun),
    ...validationProblems(validation),
  ];
  if (causes.length > 0) throwStatus(invalid({ kind, group: 'meta.k8s.io', name: '' }, causes));
  return {
    fieldManager,
    fieldValidation: fieldValidationOf(validation),
    isDryRun: dryRun.length > 0,
  };
};

const noOptions: CreateOptions = { fieldManager: '', fieldValidation: 'Warn', isDryRun: false };

const fieldValidationOf = (text: string): FieldValidation =>
  text === 'Ignore' || text === 'Strict' ? text : 'Warn';

const fieldManagerProblems = (fieldManager: string): readonly ApiErrorCause[] => {
  const field = 'fieldManager';
  const characters = [...fieldManager];
  const problems: ApiErrorCause[] = [];
  const bytes = new TextEncoder().encode(fieldManager).length;
  if (bytes > fieldManagerLimit) {
    problems.push(tooLong(field, fieldManagerLimit));
  }
  let at = 0;
  for (const character of characters) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      problems.push({
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${goQuote(fieldManager)}: invalid character U+${code} (at position ${at})`,
        field,
      });
      break;
    }
    at += new TextEncoder().encode(character).length;
  }
  return problems;
};

const dryRunProblems = (values: readonly string[]): readonly ApiErrorCause[] => {
  if (values.every((value) => value === 'All')) return [];
  const shown = `[${values.map((value) => goQuote(value)).join(',')}]`;
  return [
    {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${shown}: supported values: "All"`,
      field: 'dryRun',
    },
  ];
};

const validations = ['', 'Ignore', 'Strict', 'Warn'];

const validationProblems = (value: string): readonly ApiErrorCause[] =>
  validations.includes(value) ? [] : [notSupported('fieldValidation', value, validations)];
