/** Decisions of the authorizer that the expressions of one request ask for. Each is asked once. */
import type { Attributes, Authorizer, Decision } from "../../access/authorizer.ts";

/** Ends an evaluation that needs a decision not yet made. Repeat the evaluation after `decision`. */
export class UndecidedError extends Error {
  override readonly name: string = "UndecidedError";
  /** Settles when the decision is known. */
  readonly decision: Promise<void>;

  constructor(decision: Promise<void>) {
    super("the authorizer has not decided yet");
    this.decision = decision;
  }
}

export class AccessChecks {
  readonly #authorizer: Pick<Authorizer, "authorize">;
  readonly #decisions = new Map<string, Decision>();

  constructor(authorizer: Pick<Authorizer, "authorize">) {
    this.#authorizer = authorizer;
  }

  /** Returns the decision. Throws an `UndecidedError` at the first call. */
  readonly decide = (attributes: Attributes): Decision => {
    const key = JSON.stringify(attributes);
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    throw new UndecidedError(this.#ask(key, attributes));
  };

  async #ask(key: string, attributes: Attributes): Promise<void> {
    this.#decisions.set(key, await this.#authorizer.authorize(attributes));
  }
}
