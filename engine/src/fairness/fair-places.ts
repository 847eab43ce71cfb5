/**
 * A limited number of places that flows share by max-min fairness. A flow may hold every place while no
 * other flow requests one. When all places are held, a flow that stays smaller than the largest flow gets the
 * oldest place of the largest flow. Flows form a tree, so that the connections of one client address
 * share what the address gets. A flow exists only while it holds a place: callers cannot grow the state.
 */

/** The size of a place in relation to the limit. */
export interface PlaceSize {
  /** A positive integer; 1 where absent. */
  readonly weight?: number;
  /** Weight that must remain free, unless the flow is smaller than another one. */
  readonly reserve?: number;
}

const defaultSize: PlaceSize = {};

/** The keys of a flow, from the outermost flow to the innermost one. */
export type FlowPath = readonly unknown[];

/** A place in a flow. Its holder releases it, and a smaller flow can displace it. */
export class Place {
  readonly #flow: Flow;
  readonly #onDisplaced: () => void;
  readonly weight: number;
  /** The neighbors of this place in its flow. */
  older: Place | undefined;
  newer: Place | undefined;
  #isHeld = true;

  constructor(flow: Flow, onDisplaced: () => void, weight: number) {
    this.#flow = flow;
    this.#onDisplaced = onDisplaced;
    this.weight = weight;
    flow.add(this);
  }

  /** Releases the place for other flows. Later calls do nothing. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#flow.delete(this);
  }

  /** Releases the place and notifies its holder. */
  displace(): void {
    this.release();
    this.#onDisplaced();
  }
}

/**
 * The inner flows of a flow by key. A single inner flow, the usual case, needs no map, which would
 * grow and shrink each time.
 */
class Children {
  #only: Flow | undefined;
  #map: Map<unknown, Flow> | undefined;

  get(key: unknown): Flow | undefined {
    const only = this.#only;
    return only === undefined ? this.#map?.get(key) : only.key === key ? only : undefined;
  }

  get isEmpty(): boolean {
    return this.#only === undefined && (this.#map === undefined || this.#map.size === 0);
  }

  add(child: Flow): void {
    if (this.isEmpty) {
      this.#only = child;
      return;
    }
    this.#map ??= new Map();
    if (this.#only !== undefined) this.#map.set(this.#only.key, this.#only);
    this.#only = undefined;
    this.#map.set(child.key, child);
  }

  delete(key: unknown): void {
    if (this.#only?.key === key) this.#only = undefined;
    else this.#map?.delete(key);
  }

  /** Returns the inner flows in the order in which they were added. */
  all(): Iterable<Flow> {
    return this.#only === undefined ? (this.#map?.values() ?? []) : [this.#only];
  }
}

const noChildren = new Children();

/** The places under one key below a parent flow. Inner flows have children, leaves have places. */
class Flow {
  readonly key: unknown;
  readonly #parent: Flow | undefined;
  #children: Children | undefined;
  #oldest: Place | undefined;
  #newest: Place | undefined;
  /** Weight of all places in the flow. */
  count = 0;

  constructor(key: unknown, parent: Flow | undefined) {
    this.key = key;
    this.#parent = parent;
  }

  get children(): Children {
    return this.#children ?? noChildren;
  }

  child(key: unknown): Flow {
    const existing = this.#children?.get(key);
    if (existing !== undefined) return existing;
    const child = new Flow(key, this);
    this.#children ??= new Children();
    this.#children.add(child);
    return child;
  }

  add(place: Place): void {
    const newest = this.#newest;
    place.older = newest;
    if (newest === undefined) this.#oldest = place;
    else newest.newer = place;
    this.#newest = place;
    this.#grow(place.weight);
  }

  delete(place: Place): void {
    const { older, newer } = place;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    this.#grow(-place.weight);
  }

  /** Returns the child with the greatest weight; the oldest one among equals. */
  largestChild(): Flow | undefined {
    let largest: Flow | undefined;
    for (const child of this.children.all()) {
      if (largest === undefined || child.count > largest.count) largest = child;
    }
    return largest;
  }

  /** Returns the oldest place of the innermost largest flow. */
  oldestOfLargest(): Place | undefined {
    const largest = this.largestChild();
    return largest === undefined ? this.#oldest : largest.oldestOfLargest();
  }

  #grow(by: number): void {
    this.count += by;
    const parent = this.#parent;
    if (parent === undefined) return;
    if (this.count === 0) parent.#children?.delete(this.key);
    parent.#grow(by);
  }
}

/**
 * Returns the weight that a flow must hold to lose a place to another flow. A flow without places
 * may become as large as that flow; any other has to stay smaller, since two flows of the same size
 * would displace each other forever.
 */
const displaceableCount = (own: Flow | undefined, weight: number): number =>
  own === undefined ? weight : own.count + weight + 1;

/** A limited number of places that flows share. */
export class FairPlaces {
  readonly #limit: number;
  readonly #root = new Flow(undefined, undefined);

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Weight of all places that are held. */
  get size(): number {
    return this.#root.count;
  }

  /** The outermost flows that hold a place, in the order in which they got their first one. */
  get flows(): Iterable<unknown> {
    return Array.from(this.#root.children.all(), ({ key }) => key);
  }

  /**
   * Returns a place for the flow, or `undefined` if all places are held and none belongs to a
   * larger flow. `onDisplaced` is called when a smaller flow gets the place.
   */
  acquire(path: FlowPath, onDisplaced: () => void, size = defaultSize): Place | undefined {
    const { weight = 1, reserve = 0 } = size;
    const isFree = this.#root.count + weight + reserve <= this.#limit;
    return isFree || this.#makeRoom(path, weight) ? this.add(path, onDisplaced, size) : undefined;
  }

  /** Returns a place even over the limit, for work that passes from one flow to another. */
  add(path: FlowPath, onDisplaced: () => void, { weight = 1 } = defaultSize): Place {
    let flow = this.#root;
    for (const key of path) flow = flow.child(key);
    return new Place(flow, onDisplaced, weight);
  }

  /**
   * Returns the oldest place of the flow that holds the least of `other`, from the outermost flow
   * to the innermost one.
   */
  nextBy(other: FairPlaces): Place | undefined {
    let flow = this.#root;
    let counterpart: Flow | undefined = other.#root;
    while (!flow.children.isEmpty) {
      let least: { readonly child: Flow; readonly held: Flow | undefined } | undefined;
      for (const child of flow.children.all()) {
        const held: Flow | undefined = counterpart?.children.get(child.key);
        if (least === undefined || (held?.count ?? 0) < (least.held?.count ?? 0)) {
          least = { child, held };
        }
      }
      if (least === undefined) return undefined;
      flow = least.child;
      counterpart = least.held;
    }
    return flow.oldestOfLargest();
  }

  /**
   * Displaces places of larger flows until the weight fits. Returns `false` if that is not
   * possible.
   */
  #makeRoom(path: FlowPath, weight: number): boolean {
    if (this.#displaceable(path, weight) < this.#root.count + weight - this.#limit) return false;
    let victim = this.#victimFor(path, weight);
    while (victim !== undefined && this.#root.count + weight > this.#limit) {
      victim.displace();
      if (this.#root.count + weight <= this.#limit) return true;
      victim = this.#victimFor(path, weight);
    }
    return victim !== undefined;
  }

  /**
   * Returns the weight that can be displaced before the flow with the new place would be the
   * largest one.
   */
  #displaceable(path: FlowPath, weight: number): number {
    let sum = 0;
    let flow = this.#root;
    for (const key of path) {
      const own = flow.children.get(key);
      const level = displaceableCount(own, weight);
      for (const child of flow.children.all()) {
        if (child !== own && child.count >= level) sum += child.count - level + 1;
      }
      if (own === undefined) return sum;
      flow = own;
    }
    return sum;
  }

  #victimFor(path: FlowPath, weight: number): Place | undefined {
    let flow = this.#root;
    for (const key of path) {
      const largest = flow.largestChild();
      const own = flow.children.get(key);
      if (largest !== undefined && largest.count >= displaceableCount(own, weight)) {
        return largest.oldestOfLargest();
      }
      if (own === undefined) return undefined;
      flow = own;
    }
    return undefined;
  }
}
