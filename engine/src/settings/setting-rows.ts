/** The keys of a settings file. The reader, the JSON Schema and the documentation use this table. */
import { apiDomains } from '../model/api-domain.ts';
import { releaseName, releases } from '../model/release.ts';

/** The type of a setting. */
export type SettingType =
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'string'; readonly pattern?: RegExp }
  /** The code or the name of a lint. */
  | { readonly kind: 'lint' }
  /** A map from lints to levels. */
  | { readonly kind: 'levels' }
  | { readonly kind: 'list'; readonly item: SettingType }
  | { readonly kind: 'map'; readonly rows: readonly SettingRow[] };

export interface SettingRow {
  readonly name: string;
  readonly doc: string;
  readonly type: SettingType;
  readonly required?: true;
}

/** A date such as 2027-01-31. */
const datePattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Items of any list in a settings file. */
export const maxSettingItems = 1000;

const suppressionRows: readonly SettingRow[] = [
  {
    name: 'code',
    doc: 'Code or name of the lint that is not reported, such as AG4010 or system-names.',
    type: { kind: 'lint' },
    required: true,
  },
  {
    name: 'files',
    doc: 'Glob of the files to which the suppression applies, relative to the folder of the settings file. All files if absent.',
    type: { kind: 'string' },
  },
  {
    name: 'path',
    doc: 'Path of the field to which the suppression applies, including all fields below it, such as jwt[0].claimMappings. The whole file if absent.',
    type: { kind: 'string' },
  },
  {
    name: 'reason',
    doc: 'Why the lint does not apply here.',
    type: { kind: 'string' },
    required: true,
  },
  {
    name: 'expires',
    doc: 'Last day (UTC) on which the suppression applies, such as 2027-01-31. Never expires if absent.',
    type: { kind: 'string', pattern: datePattern },
  },
];

export const settingRows: readonly SettingRow[] = [
  {
    name: 'targetVersion',
    doc: 'Release of kube-apiserver that loads the files, in quotes. The newest supported release if absent.',
    type: { kind: 'choice', values: releases.map(releaseName) },
  },
  {
    name: 'apiDomain',
    doc: 'The only API domain that files may use: k8s.io for files that kube-apiserver reads, too. Both domains are accepted if absent.',
    type: { kind: 'choice', values: apiDomains },
  },
  {
    name: 'lints',
    doc: 'Levels of lints, by code or name; * is the level of all others.',
    type: { kind: 'levels' },
  },
  {
    name: 'suppressions',
    doc: 'Lints that are deliberately not reported at some places.',
    type: { kind: 'list', item: { kind: 'map', rows: suppressionRows } },
  },
  {
    name: 'sampleFolders',
    doc: 'Folders whose JSON and YAML files are samples, relative to the folder of the settings file.',
    type: { kind: 'list', item: { kind: 'string' } },
  },
];
