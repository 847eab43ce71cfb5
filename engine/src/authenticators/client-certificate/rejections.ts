/** Reasons for which a client certificate is rejected, apart from those of `certificates/`. */
import { certificateNotTrusted } from '../../certificates/rejections.ts';
import { defineRejection } from '../../model/rejection.ts';

export const clientNotTrusted = defineRejection({
  ...certificateNotTrusted,
  text: (certificate: string, problem: string) =>
    `verifying certificate ${certificate} failed: ${problem}`,
});

export const severalUids = defineRejection({
  code: 'AG5042',
  name: 'certificate-uid',
  text: (uids: readonly string[]) => `expected 1 UID, but found multiple: [${uids.join(' ')}]`,
  meaning: 'The subject of the client certificate has several UIDs or an empty UID.',
});

export const emptyUid = defineRejection({
  ...severalUids,
  text: () => 'UID cannot be an empty string',
});
