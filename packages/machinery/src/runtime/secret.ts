/** Values that must not be seen by accident: in a log line, an error, a JSON document or a debugger's print-out. */

/** What stands in the place of a secret. */
export const redacted = "[redacted]";

/**
 * Carries a secret through code that may print what it is given. Every way of turning it into text gives "[redacted]"; only `reveal`
 * gives the value, so that a search for that word finds every place where it can leak.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. */
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
    // Under this name Node's `console.log` and `util.inspect` look for what to print.
    Object.defineProperty(this.prototype, Symbol.for("nodejs.util.inspect.custom"), { value: () => redacted });
  }
}

/** How the names of secrets end; words may be joined by a dash, an underscore, a dot, a capital letter or nothing. */
const secretName =
  /(?:(?:access|api|private|secret)[-_. ]?key|key[-_. ]?data|authorization|bearer|cookies?|credentials?|pass[-_. ]?phrase|passwd|passwords?|secrets?|tokens?)[^a-z0-9]*$/i;

/** Whether a name looks as if a secret stood under it: `Authorization`, `bearer-token`, `client-key-data`, `dbPassword` … */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
