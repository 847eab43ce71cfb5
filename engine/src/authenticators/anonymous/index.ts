/** The door of the module that lets requests without a credential in. */
export { authenticateAnonymous } from './authenticate.ts';
export { explainAnonymous } from './explain.ts';
