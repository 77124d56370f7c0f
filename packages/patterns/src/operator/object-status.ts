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
import { putConditions, putStatus, statedStatus, statusCheck, unchangedStatus, writesConditions } from "./status-step.ts";
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
  /** Whether the last run of a key failed, where there is no `status` function. */
  readonly #hasFailed = new Map<ObjectKey, boolean>();

  constructor({ controller, clock }: { readonly controller: DeclaredController; readonly clock: Clock }) {
    this.#controller = controller;
    this.#clock = clock;
    this.#check = statusCheck(controller.kind, controller.title);
  }

  /** Called when an object is gone. */
  forget(key: ObjectKey): void {
    this.#hasFailed.delete(key);
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
      if (this.#isDue(run.key, failure))
        await putConditions(this.#controller.kind, object, failure, { client: run.client, clock: this.#clock });
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
   * Reports whether conditions are written without a `status` function: for the operator's own kinds, and after a success only what this
   * run of the program wrote, or what it finds at first. Two controllers of one kind would otherwise undo each other's conditions without
   * end.
   */
  #isDue(key: ObjectKey, failure: RunFailure | undefined): boolean {
    if (!writesConditions(this.#controller.kind)) return false;
    const isOurs = this.#hasFailed.get(key) ?? true;
    this.#hasFailed.set(key, failure !== undefined);
    return failure !== undefined || isOurs;
  }
}
