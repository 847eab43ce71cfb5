/** Sends objects that several messages of a thread contain with the first of them only. */

/** An object that the receiver has, or gets with this message. */
export interface SentOnce<Data> {
  readonly index: number;
  /** Absent if an earlier message contained it. */
  readonly data?: Data;
}

/** Returns what a thread sends for an object, as data. */
export const createSender = <Sent extends object, Data>(
  dataOf: (sent: Sent) => Data,
): ((sent: Sent) => SentOnce<Data>) => {
  const indices = new WeakMap<Sent, number>();
  let count = 0;
  return (sent) => {
    const known = indices.get(sent);
    if (known !== undefined) return { index: known };
    const index = count++;
    indices.set(sent, index);
    return { index, data: dataOf(sent) };
  };
};

/** Returns the object for what a thread sent; equal ones are the same object. */
export const createReceiver = <Data, Received>(
  objectOf: (data: Data) => Received,
): ((sent: SentOnce<Data>) => Received) => {
  const received: Received[] = [];
  return ({ index, data }) => {
    const known = received[index];
    if (known !== undefined) return known;
    if (data === undefined) throw new Error('unreachable: an object that was not sent');
    const object = objectOf(data);
    received[index] = object;
    return object;
  };
};
