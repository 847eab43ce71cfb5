/** The thread on which the language server of an executable analyzes long files. */
import { runAnalysis } from '../../../language-server/src/node-analysis.ts';

runAnalysis();
