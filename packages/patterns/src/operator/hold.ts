/** "Leave it as it is": what a desired state says of a slot that is not to be touched now, and why. */

const mark: unique symbol = Symbol("drover.hold");

/** A slot that stays as it is, whatever that is. */
export interface Hold {
  readonly [mark]: true;
  /** For people: it stands in the log, in the `Held` condition and in `holds`. */
  readonly why: string;
}

/** Neither made, changed nor deleted in this run: `hold("waiting for pods")`. */
export function hold(why: string): Hold {
  if (typeof why !== "string" || why === "")
    throw new TypeError('hold needs a reason, since somebody will ask why nothing happens: hold("waiting for pods")');
  return Object.freeze({ [mark]: true as const, why });
}

/** Whether a slot is to stay as it is. */
export function isHold(value: unknown): value is Hold {
  return typeof value === "object" && value !== null && mark in value;
}
