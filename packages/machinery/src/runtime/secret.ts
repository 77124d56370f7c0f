/** Values that must not show up by accident in a log line, an error, JSON or a debugger. */

/** Replaces a secret. */
export const redacted = "[redacted]";

/**
 * Carries a secret through code that may print its values. Every conversion to text gives "[redacted]"; only `reveal` returns the
 * value, so a search for that word finds every place where it can leak.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** Returns the value. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [Symbol.toPrimitive](): string {
    return redacted;
  }

  static {
    // Node's `console.log` and `util.inspect` use this property.
    Object.defineProperty(this.prototype, Symbol.for("nodejs.util.inspect.custom"), { value: () => redacted });
  }
}

/** Endings of secret names; words may be joined by a dash, an underscore, a dot, a capital letter or nothing. */
const secretName =
  /(?:(?:access|api|private|secret)[-_. ]?key|key[-_. ]?data|authorization|bearer|cookies?|credentials?|pass[-_. ]?phrase|passwd|passwords?|secrets?|tokens?)[^a-z0-9]*$/i;

/** Whether a name looks like that of a secret: `Authorization`, `bearer-token`, `client-key-data`, `dbPassword` … */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
