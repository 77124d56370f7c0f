/** Which mutating policies run again in the second round of a request: those that ask for it and ran before a later change. */
import { deepCopy, jsonEqual } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";

/** The state of one request. */
export class Reinvocation {
  /** A copy of the object after the last round. */
  #output: JsonObject | undefined;
  readonly #invoked = new Set<string>();
  readonly #required = new Set<string>();

  /** Notes that a policy ran and asks to run again after later changes. */
  addInvoked(key: string): void {
    this.#invoked.add(key);
  }

  /** Notes a change: every policy noted before it must run again. */
  requireInvoked(): void {
    for (const key of this.#invoked) this.#required.add(key);
    this.#invoked.clear();
  }

  isRequired(key: string): boolean {
    return this.#required.has(key);
  }

  /** Whether plug-ins have changed the object since the last round. */
  isChanged(object: JsonObject): boolean {
    return this.#output === undefined || !jsonEqual(this.#output, object);
  }

  endRound(object: JsonObject): void {
    this.#output = deepCopy(object);
  }
}
