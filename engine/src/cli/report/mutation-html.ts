/** The small changes of a configuration that no test notices, each with a token that shows its effect. */
import { formatLocation } from '../../diagnostics/render.ts';
import { counted } from '../../formats/counted.ts';
import { mutationScore } from '../../simulate/mutation/mutation-score.ts';
import type { MutantResult } from '../../simulate/mutation/run-mutants.ts';
import { percentText } from '../coverage/file-coverage.ts';
import { finding, table } from '../html/elements.ts';
import { block, code, text, userHtml } from '../html/untrusted-text.ts';
import type { MutatedFile } from '../mutation/mutated-file.ts';
import { effectOf, inputOf, mutantLines } from '../mutation/mutation-text.ts';
import { limited } from './shown-entries.ts';

export const mutationSections = (files: readonly MutatedFile[]): string =>
  files.map(fileSection).join('\n');

const fileSection = (file: MutatedFile, index: number): string => {
  const { score, counts } = mutationScore(file.results);
  const undetected = file.results.filter(
    ({ status }) => status === 'Survived' || status === 'NoCoverage',
  );
  const { shown, note } = limited(undetected);
  const valid = counts.Killed + undetected.length;
  return [
    `<p>Mutation score ${percentText(score)}: ${counted(file.cases.length, 'case')} of ${code(file.source.uri)} notice ${counts.Killed} of ${valid} changes.</p>`,
    ...shown.map((result, at) => mutantHtml(result, file, `mutant-${index + 1}-${at + 1}`)),
    note,
  ].join('\n');
};

const mutantHtml = (
  { mutant, witness, reason }: MutantResult,
  { source, text: configuration, toFile }: MutatedFile,
  id: string,
): string =>
  finding({
    id,
    severity: 'warning',
    heading: `<span class="severity">not noticed</span> ${text(`${mutant.at}: ${mutant.description}`)}`,
    parts: [
      `<p>${code(formatLocation(source, toFile(mutant.span).start))}</p>`,
      block(mutantLines(mutant, configuration).join('\n')),
      ...(witness === undefined
        ? [`<p>${text(reason ?? '')}</p>`]
        : [
            `<p>${text(effectOf(witness))}</p>`,
            block(JSON.stringify(inputOf(witness), undefined, 2)),
            table({
              caption: 'Decisions',
              hidesCaption: true,
              columns: ['Configuration', 'Decision'],
              rows: [
                ['As it is', userHtml(witness.before)],
                ['With the change', userHtml(witness.after)],
              ],
            }),
          ]),
    ],
  });
