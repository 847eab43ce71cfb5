/** The authenticators in kube-apiserver's order. */

export const moduleIds = [
  'authenticating-proxy',
  'client-certificate',
  'static-token',
  'legacy-service-account-token',
  'service-account-token',
  'bootstrap-token',
  'jwt',
  'webhook-token',
  'anonymous',
] as const;

export type ModuleId = (typeof moduleIds)[number];
