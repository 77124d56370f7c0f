/** `hold(why)`: the value of a slot that must not be changed in this run. */

const mark: unique symbol = Symbol("drover.hold");

/** A slot that is left unchanged. */
export interface Hold {
  readonly [mark]: true;
  /** Reason for people; shown in the log, in the `Held` condition and in `holds`. */
  readonly why: string;
}

/** Leaves a slot unchanged in this run, neither created, updated nor deleted: `hold("waiting for pods")`. */
export function hold(why: string): Hold {
  if (typeof why !== "string" || why === "")
    throw new TypeError('hold needs a reason that explains why nothing happens: hold("waiting for pods")');
  return Object.freeze({ [mark]: true as const, why });
}

/** Reports whether a slot value is a hold. */
export function isHold(value: unknown): value is Hold {
  return typeof value === "object" && value !== null && mark in value;
}
