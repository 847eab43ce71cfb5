/** Exports of the bootstrap token authenticator. */
export { authenticateBootstrapToken } from './authenticate.ts';
export { type BootstrapTokenMaterial, compileBootstrapToken } from './compile.ts';
export {
  type BootstrapTokenSettings,
  flags,
  readBootstrapToken,
  validateBootstrapToken,
} from './config.ts';
export { explainBootstrapToken } from './explain.ts';
export type { BootstrapTokenNode } from './node.ts';
