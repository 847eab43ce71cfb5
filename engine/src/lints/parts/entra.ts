/** Recognizes the issuers of Microsoft Entra ID. */

/** Reports whether the issuer is Microsoft Entra ID (any cloud). */
export const isEntra = (url: string): boolean =>
  /^https:\/\/(?:login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)|sts\.(?:windows\.net|chinacloudapi\.cn))(?:\/|$)/.test(
    url,
  );
