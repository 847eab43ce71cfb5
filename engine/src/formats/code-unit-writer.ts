/**
 * Builds a long string from many small pieces. String concatenation keeps an object of some 30 bytes for each piece
 * until the string is read, which multiplies the memory that a hostile header value needs; this writer needs at most
 * twice the memory of its result.
 */
export class CodeUnitWriter {
  #units = new Uint16Array(256);
  #length = 0;

  writeUnit(unit: number): void {
    if (this.#length === this.#units.length) this.#reserve(1);
    this.#units[this.#length] = unit;
    this.#length += 1;
  }

  write(text: string): void {
    if (this.#length + text.length > this.#units.length) this.#reserve(text.length);
    for (let at = 0; at < text.length; at += 1) {
      this.#units[this.#length + at] = text.charCodeAt(at);
    }
    this.#length += text.length;
  }

  toString(): string {
    let text = '';
    for (let at = 0; at < this.#length; at += unitsPerCall) {
      const end = Math.min(at + unitsPerCall, this.#length);
      text += String.fromCharCode(...this.#units.subarray(at, end));
    }
    return text;
  }

  #reserve(count: number): void {
    const units = new Uint16Array(Math.max(this.#units.length * 2, this.#length + count));
    units.set(this.#units.subarray(0, this.#length));
    this.#units = units;
  }
}

/** Engines limit the number of arguments of a call. */
const unitsPerCall = 8_192;
