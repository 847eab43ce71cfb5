/** The SETTINGS of both sides (RFC 9113, 6.5). */
import { headerLimits, http2Limits } from '../limits.ts';
import { flowControlError, frameSizeError, protocolError } from './connection-error.ts';
import { maxWindow, settingsFrame } from './frame.ts';

const settingIds = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  enableConnectProtocol: 8,
} as const;

/** The server's SETTINGS. The HPACK table and the frame size keep their initial values. */
export const serverSettings = ({ maxStreams }: { readonly maxStreams: number }): Buffer =>
  settingsFrame([
    [settingIds.maxConcurrentStreams, maxStreams],
    [settingIds.initialWindowSize, http2Limits.streamWindow],
    [settingIds.maxHeaderListSize, headerLimits.bytes],
  ]);

/** The range of SETTINGS_MAX_FRAME_SIZE. */
const frameSizes = { min: 16_384, max: 16_777_215 } as const;

/** The settings of a client that matter here. */
export interface ClientSettings {
  /** The new SETTINGS_INITIAL_WINDOW_SIZE. */
  readonly window: number | undefined;
  /** True if SETTINGS_HEADER_TABLE_SIZE is below its initial value. */
  readonly shrinksTable: boolean;
}

/** Parses SETTINGS; throws a `ConnectionError` for invalid values. */
export const readSettings = (payload: Buffer): ClientSettings => {
  if (payload.length % 6 !== 0) throw frameSizeError('SETTINGS length is not a multiple of 6');
  let window: number | undefined;
  let shrinksTable = false;
  for (let offset = 0; offset < payload.length; offset += 6) {
    const id = payload.readUInt16BE(offset);
    const value = payload.readUInt32BE(offset + 2);
    if (id === settingIds.headerTableSize && value < http2Limits.tableBytes) shrinksTable = true;
    const isSwitch = id === settingIds.enablePush || id === settingIds.enableConnectProtocol;
    if (isSwitch && value > 1) throw protocolError(outOfRange);
    if (id === settingIds.maxFrameSize && (value < frameSizes.min || value > frameSizes.max)) {
      throw protocolError(outOfRange);
    }
    if (id === settingIds.initialWindowSize) {
      if (value > maxWindow) throw flowControlError(outOfRange);
      window = value;
    }
  }
  return { window, shrinksTable };
};

const outOfRange = 'SETTINGS value out of range';
