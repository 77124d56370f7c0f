/** Annotations of the audit event of one request, set by authorization and admission. */

/** As many bytes as kube-apiserver allows for the annotations of an object. */
const bytesMax = 256 * 1024;

/** Guarantees: the first value of each key, in the order of arrival, within `bytesMax` characters. */
export class AuditAnnotations {
  #values: Map<string, string> | undefined;
  #size = 0;

  add(key: string, value: string): void {
    this.#values ??= new Map();
    const size = key.length + value.length;
    if (this.#values.has(key) || this.#size + size > bytesMax) return;
    this.#values.set(key, value);
    this.#size += size;
  }

  entries(): readonly (readonly [key: string, value: string])[] {
    return [...(this.#values ?? [])];
  }
}
