/**
 * The status of the objects of one controller: what the author's `status` function returns, and how the last run ended.
 *
 *     how far a run got → ObjectStatus.put → status(context), conditions → at most one write
 */
import type { ReconcileContext } from "@drover/controller";
import type { Clock, DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { DeclaredController } from "./declared-controller.ts";
import { asMistake } from "./frozen-mistake.ts";
import type { HeldSlot, StateContext } from "./operator-context.ts";
import type { Owns } from "./slot.ts";
import {
  failureMessage,
  putConditions,
  putStatus,
  shownFailure,
  statedStatus,
  statusCheck,
  unchangedStatus,
  writesConditions,
} from "./status-step.ts";
import type { RunFailure } from "./status-step.ts";
import { isTerminalError } from "./terminal-error.ts";

/** What the status of an object is computed from. */
export interface StatusInput {
  readonly state: StateContext<KubeObject, Owns>;
  readonly holds: readonly HeldSlot[];
  /** Undefined after success. */
  readonly failure: RunFailure | undefined;
}

export class ObjectStatus {
  readonly #controller: DeclaredController;
  readonly #clock: Clock;
  readonly #check: ReturnType<typeof statusCheck>;
  /** Message of the last failure that was written for a key, where there is no `status` function; "" if there was none since the start. */
  readonly #written = new Map<ObjectKey, string>();

  constructor({ controller, clock }: { readonly controller: DeclaredController; readonly clock: Clock }) {
    this.#controller = controller;
    this.#clock = clock;
    this.#check = statusCheck(controller.kind, controller.title);
  }

  /** Called when an object is gone. */
  forget(key: ObjectKey): void {
    this.#written.delete(key);
  }

  /** Writes the status if it changed. Rejects with the failure of the `status` function after it has shown it on the object. */
  async put(run: ReconcileContext, { state, holds, failure }: StatusInput): Promise<void> {
    const {
      title,
      declaration: { status },
    } = this.#controller;
    const { object } = state;
    const put = (stated: ReturnType<typeof unchangedStatus>, report = failure): Promise<void> =>
      this.#write(run, object, statedStatus(object, stated, { holds, failure: report }));
    if (status === undefined) {
      await this.#putWithout(run, object, failure);
      return;
    }
    let stated: ReturnType<typeof unchangedStatus>;
    try {
      stated = this.#check(
        asMistake(`${title}, status`, () => status({ ...state, holds, ...(failure === undefined ? {} : { error: failure.error }) })),
      );
    } catch (error) {
      await put(unchangedStatus(object), failure ?? { error, isStalled: false });
      throw error;
    }
    await put(stated);
  }

  /** Shows on the object why it is still there. A failure to do so does not hide the one of the cleanup. */
  async putCleanupFailure(run: ReconcileContext, object: DeepReadonly<KubeObject>, error: unknown): Promise<void> {
    const { kind, declaration } = this.#controller;
    if (declaration.status === undefined && !writesConditions(kind)) return;
    const failure: RunFailure = { error, isStalled: isTerminalError(error), isCleanup: true };
    try {
      await putConditions(kind, object, failure, { client: run.client, clock: this.#clock });
    } catch (problem) {
      run.log.warn("cannot write the failure to the status", { error: problem });
    }
  }

  #write({ client }: ReconcileContext, object: DeepReadonly<KubeObject>, stated: ReturnType<typeof statedStatus>): Promise<void> {
    return putStatus(this.#controller.kind, object, stated, { client, clock: this.#clock });
  }

  /**
   * Writes conditions without a `status` function: for the operator's own kinds, and after a success only instead of what this run of the
   * program wrote, or what it finds at first. Two controllers of one kind would otherwise undo each other's conditions without end.
   */
  async #putWithout({ key, client }: ReconcileContext, object: DeepReadonly<KubeObject>, failure: RunFailure | undefined): Promise<void> {
    if (!writesConditions(this.#controller.kind)) return;
    const written = this.#written.get(key);
    const shown = shownFailure(object);
    if (failure === undefined && written !== undefined && shown !== undefined && shown !== written) return;
    // The write may take effect although it fails.
    if (failure !== undefined) this.#written.set(key, failureMessage(failure));
    await putConditions(this.#controller.kind, object, failure, { client, clock: this.#clock });
    // A success that could not be written is due again.
    if (written === undefined && failure === undefined) this.#written.set(key, "");
  }
}
