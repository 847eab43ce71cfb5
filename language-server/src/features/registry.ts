/** Every feature, in the order in which capabilities are announced. */
import { accessDifference } from './access-difference.ts';
import { change } from './change.ts';
import { changeMarkdown } from './change-markdown.ts';
import { codeAction } from './code-action.ts';
import { codeLens } from './code-lens.ts';
import { completion } from './completion.ts';
import { coverage } from './coverage.ts';
import { definition } from './definition.ts';
import { diagnostics } from './diagnostics.ts';
import { documentHighlight } from './document-highlight.ts';
import { documentLink } from './document-link.ts';
import { documentSymbol } from './document-symbol.ts';
import { evaluate } from './evaluate.ts';
import { executeCommand } from './execute-command.ts';
import { expectResult } from './expect-result.ts';
import { explainToken } from './explain-token.ts';
import type { Feature } from './feature.ts';
import { folding } from './folding.ts';
import { formatting } from './formatting.ts';
import { graph } from './graph.ts';
import { hover } from './hover.ts';
import { inlayHint } from './inlay-hint.ts';
import { issuerUrls } from './issuer-urls.ts';
import { newConfigurations, providerList } from './new-configuration.ts';
import { references } from './references.ts';
import { rename } from './rename.ts';
import { sampleTemplate } from './sample-template.ts';
import { selectionRange } from './selection-range.ts';
import { semanticTokens } from './semantic-tokens.ts';
import { signatureHelp } from './signature-help.ts';
import { testCases } from './test-cases.ts';
import { tests } from './tests.ts';
import { verdicts } from './verdicts.ts';
import { whoCanFeature } from './who-can.ts';
import { whoami } from './whoami.ts';
import { workspaceDiagnostics } from './workspace-diagnostics.ts';
import { workspaceSymbol } from './workspace-symbol.ts';

export const features: readonly Feature[] = [
  diagnostics,
  workspaceDiagnostics,
  completion,
  hover,
  signatureHelp,
  codeAction,
  codeLens,
  inlayHint,
  documentLink,
  definition,
  references,
  documentHighlight,
  documentSymbol,
  workspaceSymbol,
  folding,
  selectionRange,
  semanticTokens,
  rename,
  formatting,
  providerList,
  newConfigurations,
  sampleTemplate,
  issuerUrls,
  verdicts,
  whoami,
  graph,
  change,
  changeMarkdown,
  testCases,
  tests,
  coverage,
  expectResult,
  accessDifference,
  whoCanFeature,
  explainToken,
  evaluate,
  executeCommand,
];
