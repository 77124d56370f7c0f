/**
 * One abort signal per call of a run, all of which abort with the run's signal.
 *
 *     the run's signal → one listener → the open calls
 *
 * Node warns about many listeners on one signal, and a run may have many open calls. `AbortSignal.any` would work too, but costs as much
 * as a small request.
 */

/** Guarantees: at most one listener on the run's signal; keeps nothing of a released call. */
export class CallSignals {
  readonly #owner: { readonly signal: AbortSignal };
  readonly #open = new Set<AbortController>();
  #isListening = false;

  constructor(owner: { readonly signal: AbortSignal }) {
    this.#owner = owner;
  }

  /** Returns a signal that aborts with the run's signal, and with the call's own if there is one, until it is released. */
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
