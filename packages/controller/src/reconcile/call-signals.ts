/**
 * A signal for each call of a run, all of which end with the run's own.
 *
 *     the run's signal → one listener → the calls that are under way
 *
 * Node warns of many listeners on one signal, and a run may have many calls under way; `AbortSignal.any` would do it
 * too, and costs as much as a small request.
 */

/** Guarantees: one listener on the run's signal at most; nothing is kept of a call that is released. */
export class CallSignals {
  readonly #owner: { readonly signal: AbortSignal };
  readonly #open = new Set<AbortController>();
  #isListening = false;

  constructor(owner: { readonly signal: AbortSignal }) {
    this.#owner = owner;
  }

  /** A signal that is aborted with the run's, and with the call's own if there is one, until it is released. */
  begin(own: AbortSignal | undefined): { readonly signal: AbortSignal; readonly release: () => void } {
    const { signal } = this.#owner;
    if (signal.aborted || own !== undefined)
      return { signal: AbortSignal.any(own === undefined ? [signal] : [own, signal]), release: () => undefined };
    const controller = new AbortController();
    this.#open.add(controller);
    if (!this.#isListening) {
      this.#isListening = true;
      signal.addEventListener(
        "abort",
        () => {
          for (const open of this.#open) open.abort(signal.reason);
        },
        { once: true },
      );
    }
    return { signal: controller.signal, release: () => void this.#open.delete(controller) };
  }
}
