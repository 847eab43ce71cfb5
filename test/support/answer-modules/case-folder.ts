/** Writes the files of a case to a folder, and creates the arguments with their paths. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatedConfig } from './gates.ts';

export interface FlagsConfig extends GatedConfig {
  /** `{{name}}` is the path of `files[name]`, `{{dir}}` the folder. */
  readonly args?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

export interface CaseFolder {
  readonly args: readonly string[];
  /** Removes the folder from a string. */
  scrub(text: string): string;
  remove(): void;
}

export const caseFolder = ({ args = [], files = {} }: FlagsConfig): CaseFolder => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-case-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  const path = (name: string): string | undefined =>
    name === 'dir' ? folder : name in files ? join(folder, name) : undefined;
  return {
    args: args.map((arg) =>
      arg.replaceAll(/\{\{(.+?)\}\}/g, (whole, name: string) => path(name) ?? whole),
    ),
    scrub: (text) => text.replaceAll(`${folder}/`, '').replaceAll(folder, '<dir>'),
    remove: () => rmSync(folder, { recursive: true }),
  };
};
