/** The small changes of a configuration that no test notices, each with a token that shows its effect. */
import { formatLocation } from '../../diagnostics/render.ts';
import { counted } from '../../formats/counted.ts';
import { mutationScore } from '../../simulate/mutation/mutation-score.ts';
import type { MutantResult } from '../../simulate/mutation/run-mutants.ts';
import { percentText } from '../coverage/file-coverage.ts';
import { table } from '../html/elements.ts';
import { block, code, text, userHtml } from '../html/untrusted-text.ts';
import type { MutatedFile } from '../mutation/mutated-file.ts';
import { effects, mutantLines } from '../mutation/mutation-text.ts';
import { limited } from './shown-entries.ts';

export const mutationSections = (files: readonly MutatedFile[]): string =>
  files.map(fileSection).join('\n');

const fileSection = (file: MutatedFile): string => {
  const { score, counts } = mutationScore(file.results);
  const undetected = file.results.filter(
    ({ status }) => status === 'Survived' || status === 'NoCoverage',
  );
  const { shown, note } = limited(undetected);
  const valid = counts.Killed + undetected.length;
  return [
    `<p>Mutation score ${percentText(score)}: ${counted(file.cases.length, 'case')} of ${code(file.source.uri)} notice ${counts.Killed} of ${valid} changes.</p>`,
    ...shown.map((result) => mutantHtml(result, file)),
    note,
  ].join('\n');
};

const mutantHtml = (
  { mutant, witness, reason }: MutantResult,
  { source, text: configuration, toFile }: MutatedFile,
): string =>
  [
    '<article class="finding warning">',
    `<h3><span class="severity">not noticed</span> ${text(`${mutant.at}: ${mutant.description}`)}</h3>`,
    `<p>${code(formatLocation(source, toFile(mutant.span).start))}</p>`,
    block(mutantLines(mutant, configuration).join('\n')),
    ...(witness === undefined
      ? [`<p>${text(reason ?? '')}</p>`]
      : [
          `<p>${effects[witness.kind]}</p>`,
          block(JSON.stringify(witness.claims, undefined, 2)),
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
    '</article>',
  ].join('\n');
