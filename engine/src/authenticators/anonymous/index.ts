/** Exports of the anonymous authenticator. */
export { authenticateAnonymous } from './authenticate.ts';
export { explainAnonymous } from './explain.ts';
