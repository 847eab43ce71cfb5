/** What the two sides tell each other about themselves (RFC 9113, 6.5). */
import { headerLimits, http2Limits } from '../limits.ts';
import { flowControlError, protocolError, frameSizeError } from './connection-error.ts';
import { maxWindow, settingsFrame } from './frame.ts';

const settingIds = {
  tableBytes: 1,
  enablePush: 2,
  mostStreams: 3,
  firstWindow: 4,
  mostPayload: 5,
  mostHeadBytes: 6,
  extendedConnect: 8,
} as const;

/** The server's SETTINGS. The HPACK table and the frame size keep their initial values. */
export const serverSettings = ({ maxStreams }: { readonly maxStreams: number }): Buffer =>
  settingsFrame([
    [settingIds.mostStreams, maxStreams],
    [settingIds.firstWindow, http2Limits.streamWindow],
    [settingIds.mostHeadBytes, headerLimits.bytes],
  ]);

/** What `ids.mostPayload` may be. */
const frameSizes = { least: 16_384, most: 16_777_215 } as const;

/** What of a client's settings counts here. */
export interface ClientSettings {
  /** The new window of each stream. */
  readonly window: number | undefined;
  /** May the table of its decoder have fewer bytes than it begins with? */
  readonly shrinksTable: boolean;
}

/** Throws a `ConnectionError` for values that can't be. */
export const readSettings = (payload: Buffer): ClientSettings => {
  if (payload.length % 6 !== 0) throw frameSizeError('settings of half a value');
  let window: number | undefined;
  let shrinksTable = false;
  for (let offset = 0; offset < payload.length; offset += 6) {
    const id = payload.readUInt16BE(offset);
    const value = payload.readUInt32BE(offset + 2);
    if (id === settingIds.tableBytes && value < http2Limits.tableBytes) shrinksTable = true;
    const isSwitch = id === settingIds.enablePush || id === settingIds.extendedConnect;
    if (isSwitch && value > 1) throw protocolError(outOfRange);
    if (id === settingIds.mostPayload && (value < frameSizes.least || value > frameSizes.most)) {
      throw protocolError(outOfRange);
    }
    if (id === settingIds.firstWindow) {
      if (value > maxWindow) throw flowControlError(outOfRange);
      window = value;
    }
  }
  return { window, shrinksTable };
};

const outOfRange = 'a setting is out of its range';
