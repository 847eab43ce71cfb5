/**
 * Fetches the public keys of a token's issuer after a confirmation. The token stays in the
 * extension.
 */
import { ProgressLocation, window, workspace } from 'vscode';
import { confirm, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { issuersUnavailableReason, type Platform } from '../platform.ts';
import type { ServerRequests } from '../requests.ts';
import type { KeySet } from './key-sets.ts';
import { withoutMarkup } from './signature-text.ts';

export interface IssuerKeysParts {
  readonly requests: ServerRequests;
  readonly model: Model;
  readonly platform: Pick<Platform, 'host' | 'files'>;
}

/** Returns `undefined` if there are no keys or the user declined; problems were shown then. */
export const fetchIssuerKeys = async (
  issuer: string | undefined,
  { requests, model, platform }: IssuerKeysParts,
): Promise<KeySet | undefined> => {
  const uri = model.configuration?.uri.toString();
  const why = issuersUnavailableReason(platform);
  if (why !== undefined) return showInfo(why);
  if (!workspace.isTrusted) {
    return showInfo("issuers can't be contacted from an untrusted workspace: trust it first");
  }
  if (issuer === undefined) return showInfo('the token has no issuer');
  if (uri === undefined) return showInfo('open the configuration that has this issuer first');
  const { urls, problem } = await requests.issuerUrls({ uri, issuer });
  const [url] = urls;
  if (url === undefined)
    return showInfo(problem ?? 'the configuration has no entry for this issuer');
  if (!(await confirmContact(url))) return undefined;
  const answer = await window.withProgress(
    { location: ProgressLocation.Window, title: 'AuthGraph: contacting the issuer…' },
    () => requests.issuerKeys({ uri, issuer, urls: [url] }),
  );
  return answer.keys === undefined
    ? showInfo(answer.problem ?? 'the issuer returned no keys')
    : { name: `the keys of ${withoutMarkup(issuer).slice(0, 80)}`, text: answer.keys };
};

const confirmContact = (url: string): Promise<boolean> =>
  confirm({
    question: 'Fetch the public keys of this issuer?',
    detail: `${url}\n\nAuthGraph reads its discovery document and keys. The token is not sent.`,
    yes: 'Fetch Keys',
  });
