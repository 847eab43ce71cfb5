/** What the primary process and its workers call of each other. */
import type { JsonObject } from '../../model/json.ts';
import type { LogFormat } from '../../node/log.ts';
import type { MetricFamily } from '../../node/metrics.ts';
import type { HttpRequest, HttpResponse } from '../../ports/http-client.ts';
import type {
  Deletion,
  ObjectKey,
  ObjectList,
  Preconditions,
  StoredObject,
  StoreEvent,
} from '../../ports/store.ts';
import type { ListenAddress } from '../reserve-port.ts';
import type { CertificatePair } from '../tls/serving-certificate.ts';

/** What a worker needs to start with the same answers as the others. */
export interface WorkerSetup {
  /** The number of the worker, from 1. */
  readonly worker: number;
  readonly workers: number;
  /** The part of the memory limit that this worker may use. */
  readonly memoryBytes: number;
  /** The self-signed certificate; absent if the flags name files. */
  readonly certificate: CertificatePair | undefined;
  readonly apiDomain: string | undefined;
  /** The configuration that is in service; the file may contain one that was rejected. */
  readonly configuration: string;
  readonly logFormat: LogFormat;
  readonly isColored: boolean;
  /** Whether the store implements deletion itself. */
  readonly deletesItself: boolean;
  readonly address: ListenAddress;
}

/** A request to an issuer whose response all workers use. */
export type SharedRequest = Omit<HttpRequest, 'signal'>;

/** The calls of the store that the primary process executes. */
export interface StoreMethods {
  getObject(key: ObjectKey): Promise<StoredObject | undefined>;
  listObjects(resource: string, namespace: string | undefined): Promise<ObjectList>;
  createObject(key: ObjectKey, object: JsonObject): Promise<StoredObject>;
  updateObject(
    key: ObjectKey,
    object: JsonObject,
    preconditions: Preconditions | undefined,
  ): Promise<StoredObject>;
  deleteObject(key: ObjectKey, preconditions: Preconditions | undefined): Promise<StoredObject>;
  requestDeletion(last: StoredObject, options: JsonObject): Promise<Deletion>;
  /** Starts a watch with an ID that the worker chooses. */
  openWatch(id: number, watch: WatchedResource): void;
  /**
   * Returns the next event of the watch, or `undefined` at its end. The call confirms that the
   * previous event has been processed.
   */
  nextEvent(id: number): Promise<StoreEvent | undefined>;
  endWatch(id: number): void;
}

export interface WatchedResource {
  readonly resource: string;
  readonly after: string;
  /** Whether a local view follows it, which a write waits for. */
  readonly isForView: boolean;
}

/** The methods of the primary process. */
export interface PrimaryMethods extends StoreMethods {
  setup(): WorkerSetup;
  fetch(request: SharedRequest): Promise<HttpResponse>;
  /** Returns the metrics of all processes in the text format. */
  metricsText(): Promise<string>;
  /** Returns a list that another worker stores for its later pages. */
  findList(place: string, revision: string): Promise<ObjectList | undefined>;
  /** Reports that the worker accepts connections, with its number of issuers. */
  ready(issuers: number): void;
  connectionClosed(): void;
  /** Reports a change of the configuration file, so that no worker notices it much later. */
  fileChanged(): void;
  /** Reports the text of the configuration that is in service. */
  configurationChanged(text: string): void;
}

/** The methods of a worker. */
export interface WorkerMethods {
  metrics(): Promise<readonly MetricFamily[]>;
  findList(place: string, revision: string): ObjectList | undefined;
  /** Reads all watched files again. */
  checkFiles(): void;
  /** Reports that the store has the bootstrap roles. */
  rolesStored(): void;
  /** Completes the open requests and ends. */
  stop(): void;
}
