/** Exports of the static token authenticator. */
export { authenticateStaticToken } from './authenticate.ts';
export {
  compileStaticToken,
  type StaticTokenCompilation,
  type StaticTokenMaterial,
  type StaticTokenSource,
} from './compile.ts';
export {
  flags,
  readStaticToken,
  type StaticTokenSettings,
  secretFilesOfStaticToken,
  validateStaticToken,
} from './config.ts';
export { explainStaticToken } from './explain.ts';
export type { StaticTokenNode } from './node.ts';
