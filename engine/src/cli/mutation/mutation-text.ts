/** Mutation testing for a terminal: the score, and each mutant that no test notices. */

import { toPrintable } from '../../diagnostics/printable.ts';
import { formatLocation } from '../../diagnostics/render.ts';
import { counted } from '../../formats/counted.ts';
import { collapseWhitespace } from '../../formats/trim.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Mutant } from '../../simulate/mutation/mutant.ts';
import type { MutantWitness } from '../../simulate/mutation/mutant-witness.ts';
import { mutationScore } from '../../simulate/mutation/mutation-score.ts';
import type { MutantResult } from '../../simulate/mutation/run-mutants.ts';
import { userLines } from '../../simulate/whoami/user-lines.ts';
import type { Paint } from '../color.ts';
import { percentText } from '../coverage/file-coverage.ts';
import type { MutatedFile } from './mutated-file.ts';

export const mutationText = (files: readonly MutatedFile[], paint: Paint): string =>
  `${files.map((file) => fileText(file, paint)).join('\n')}${totalText(files)}`;

/** Returns the score of all files together. */
const totalText = (files: readonly MutatedFile[]): string => {
  if (files.length < 2) return '';
  const { score, counts } = mutationScore(files.flatMap(({ results }) => results));
  const valid = counts.Killed + counts.Survived + counts.NoCoverage;
  return `\n${counted(files.length, 'file')}: mutation score ${percentText(score)}, ${counts.Killed} of ${valid} mutants killed\n`;
};

const fileText = (file: MutatedFile, paint: Paint): string => {
  const { source, results, cases } = file;
  const { score, counts } = mutationScore(results);
  const undetected = results.filter(
    ({ status }) => status === 'Survived' || status === 'NoCoverage',
  );
  const valid = counts.Killed + undetected.length;
  const style = undetected.length === 0 ? 'green' : 'yellow';
  const lines = [
    `${paint('bold', toPrintable(source.uri))}: ${paint(style, `mutation score ${percentText(score)}`)}, ${counts.Killed} of ${valid} mutants killed by ${counted(cases.length, 'case')}`,
    ...notCounted(counts),
    ...notTried(file),
    ...undetected.flatMap((result) => ['', ...resultLines(result, file, paint)]),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
};

const notCounted = ({
  Ignored,
  CompileError,
}: Readonly<Record<string, number>>): readonly string[] => {
  const parts = [
    ...(Ignored ? [`${Ignored} equivalent (proved)`] : []),
    ...(CompileError ? [`${CompileError} that kube-apiserver rejects`] : []),
  ];
  return parts.length === 0 ? [] : [`  not counted: ${parts.join(', ')}`];
};

const notTried = ({ leftOut }: MutatedFile): readonly string[] =>
  leftOut === 0
    ? []
    : [
        `  not tried: ${counted(leftOut, 'further change')}, of long lists or beyond the limit of mutants`,
      ];

const resultLines = (
  { mutant, status, witness, reason }: MutantResult,
  { source, text, toFile }: MutatedFile,
  paint: Paint,
): readonly string[] => {
  const location = formatLocation(source, toFile(mutant.span).start);
  const title = `${mutant.operator}: ${collapseWhitespace(mutant.description)}`;
  return [
    `${paint('red', status === 'Survived' ? 'survived' : 'no coverage')}  ${location}  ${toPrintable(`${mutant.at}: ${title}`)}`,
    ...mutantLines(mutant, text).map((line) => paint('dim', `  ${line}`)),
    ...(witness === undefined ? [`  ${toPrintable(reason ?? '')}`] : witnessLines(witness)),
  ];
};

/** Returns the lines of the configuration that a mutant changes: `- before`, `+ after`. */
export const mutantLines = (mutant: Mutant, text: string): readonly string[] => {
  const { before, after } = changedText(text, mutant);
  return [...changedLines('-', before), ...changedLines('+', after)];
};

/** Returns the text of the lines that contain the change, before and after it. */
const changedText = (
  text: string,
  { span, text: mutate }: Mutant,
): { readonly before: string; readonly after: string } => {
  const mutated = mutate();
  // A removed field begins at the end of the line before it.
  const first = /[\r\n]/.test(text[span.start] ?? '')
    ? text.indexOf('\n', span.start) + 1
    : span.start;
  const start = text.lastIndexOf('\n', first - 1) + 1;
  const next = text.indexOf('\n', span.end);
  const end = next === -1 ? text.length : next;
  return {
    before: text.slice(start, end),
    after: mutated.slice(start, Math.max(start, end + mutated.length - text.length)),
  };
};

/** Marks the lines, without the indentation that all of them have. */
const changedLines = (mark: string, text: string): readonly string[] => {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  const indents = lines.map((line) => line.search(/\S/)).filter((width) => width >= 0);
  const common = Math.min(...indents, text.length);
  return lines.map((line) => `${mark} ${toPrintable(line.slice(common))}`);
};

const effects: Readonly<Record<MutantWitness['kind'], string>> = {
  gained: 'would be accepted',
  lost: 'would be rejected',
  changed: 'would become another user',
};

/** Returns the effect of a mutant on the token or the request that shows it. */
export const effectOf = (witness: MutantWitness): string => {
  const subject = 'request' in witness ? 'This request without a credential' : 'This token';
  return `${subject} ${effects[witness.kind]}:`;
};

/** Returns the claims of the token, or the request. */
export const inputOf = (witness: MutantWitness): object =>
  'request' in witness ? witness.request : witness.claims;

const witnessLines = (witness: MutantWitness): readonly string[] => {
  const { kind, before, after } = witness;
  return [
    `  ${effectOf(witness)} ${toPrintable(JSON.stringify(inputOf(witness)))}`,
    ...(kind === 'changed'
      ? ['  before:', ...indented(before), '  after:', ...indented(after)]
      : []),
    ...(kind === 'gained' ? indented(after) : []),
  ];
};

const indented = (user: UserInfo | null): readonly string[] =>
  user === null ? [] : userLines(user).map((line) => `  ${line}`);
