/** The keys of a settings file. The reader, the JSON Schema and the documentation use this table. */
import type { Row } from '../config/rows/row.ts';
import { apiDomains } from '../model/api-domain.ts';
import { releaseName, releases } from '../model/release.ts';
import { dayAfter } from './day-after.ts';
import { globProblem } from './glob.ts';

/** A date such as 2027-01-31. */
const datePattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

const dateProblem = (text: string): string | undefined =>
  datePattern.test(text) && dayAfter(text) !== undefined
    ? undefined
    : 'must be a date such as 2027-01-31';

const folderProblem = (text: string): string | undefined =>
  isAbsolute(text) ? 'must be relative to the folder of the settings file' : undefined;

/** Returns true for an absolute path of any system, and for a URL. */
const isAbsolute = (path: string): boolean => /^(?:[\\/]|[A-Za-z][A-Za-z\d+.-]*:)/.test(path);

const suppressionRows: readonly Row[] = [
  {
    name: 'code',
    doc: 'Code or name of the lint that is not reported, such as AG4010 or system-names.',
    type: { kind: 'custom', id: 'lint' },
    required: true,
  },
  {
    name: 'files',
    doc: 'Glob of the files to which the suppression applies, relative to the folder of the settings file. All files if absent.',
    type: { kind: 'string', problem: globProblem },
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
    type: { kind: 'string', pattern: datePattern, problem: dateProblem },
  },
];

export const settingRows: readonly Row[] = [
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
    type: { kind: 'custom', id: 'levels' },
  },
  {
    name: 'suppressions',
    doc: 'Lints that are deliberately not reported at some places.',
    type: { kind: 'list', item: { kind: 'map', rows: suppressionRows } },
  },
  {
    name: 'sampleFolders',
    doc: 'Folders whose JSON and YAML files are samples, relative to the folder of the settings file.',
    type: { kind: 'list', item: { kind: 'string', problem: folderProblem } },
  },
];
