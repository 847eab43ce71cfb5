/** Exports of the legacy service account token authenticator. */
export { authenticateLegacyServiceAccountToken } from './authenticate.ts';
export {
  compileLegacyServiceAccountToken,
  type LegacyServiceAccountTokenMaterial,
  type LegacyServiceAccountTokenSettings,
} from './compile.ts';
export { explainLegacyServiceAccountToken } from './explain.ts';
export type { LegacyServiceAccountTokenNode } from './node.ts';
export { signLegacyToken } from './sign.ts';
