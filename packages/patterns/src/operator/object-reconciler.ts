/**
 * Reconciles one object of one controller, from the cache to its status: calls the author's functions in order.
 *
 *     paused? → finalizer, cleanup → owned → desired → apply → reconcile → status, last and also after a failure
 */
import { after, done, isFenced, isRunOver, retry, stop } from "@drover/controller";
import type { EventRecorder, Obstacle, PlannedRun, ReconcileContext, Result } from "@drover/controller";
import { deepFreeze, definedOnly, isConflict } from "@drover/machinery";
import type { Clock, DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { ApplyContext, ApplyOutcome, ApplySet, DesiredObject, SetOwner } from "../apply/apply-set.ts";
import { setIdentity } from "../apply/set-identity.ts";
import type { Applying } from "./applying.ts";
import { finalize } from "../finalizers/finalizer.ts";
import { resultOf } from "./answer.ts";
import type { DeclaredCaches } from "./declared-caches.ts";
import { isBeyondReference } from "./declared-controller.ts";
import type { DeclaredController } from "./declared-controller.ts";
import { desiredPlan } from "./desired-plan.ts";
import type { DesiredPlan } from "./desired-plan.ts";
import { effectContext, objectEvents } from "./effect-context.ts";
import { errorText } from "./error-text.ts";
import { checkSameAnswer, flapCode, FlapWatch } from "./flap-watch.ts";
import { asMistake } from "./frozen-mistake.ts";
import { heldMembers, isOfKind, membersAfter, waitsOf } from "./held-members.ts";
import { isPaused, objectObstacles, pausedAnnotation } from "./object-obstacles.ts";
import type { EffectContext, HeldSlot, StateContext } from "./operator-context.ts";
import type { OperatorPlace } from "./operator-place.ts";
import { kindKey } from "./operator-plan.ts";
import { failedRun, plannedRun, skippedRun } from "./planned-run.ts";
import { membersOfKind, ownedOf, readMembers } from "./read-owned.ts";
import type { Members } from "./read-owned.ts";
import { SettledApplies } from "./settled-applies.ts";
import type { NamedSlot, Owns } from "./slot.ts";
import { ObjectStatus } from "./object-status.ts";
import type { RunFailure } from "./status-step.ts";
import { onlyImmutable } from "../apply/immutable-field-error.ts";
import { isTerminalError } from "./terminal-error.ts";
import { TerminalFailures } from "./terminal-failures.ts";

/** Options of an `ObjectReconciler`. */
export interface ObjectReconcilerOptions {
  readonly controller: DeclaredController;
  readonly caches: DeclaredCaches;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly evaluateAgain?: OperatorPlace["evaluateAgain"];
  /** Loads the code that applies, with a memory for all controllers of the run. */
  readonly applying: () => Promise<Applying>;
}

type State = StateContext<KubeObject, Owns>;

/** What a run and a plan have in common. */
export type Errand = Pick<ReconcileContext, "key" | "client" | "signal" | "log">;

/** How far a run got. */
interface Progress {
  readonly state: State;
  readonly holds: readonly HeldSlot[];
  readonly result: Result;
  readonly failure: RunFailure | undefined;
}

/** State of one controller in one run of an operator. Guarantees: forgets a key when its object is gone. */
export class ObjectReconciler {
  readonly #options: ObjectReconcilerOptions;
  readonly #flaps = new FlapWatch();
  readonly #settled = new SettledApplies();
  /** Set label value of each object: it never changes and takes a hash to compute. */
  readonly #setIds = new Map<ObjectKey, string>();
  readonly #terminal = new TerminalFailures();
  readonly #status: ObjectStatus;

  constructor(options: ObjectReconcilerOptions) {
    this.#options = options;
    this.#status = new ObjectStatus(options);
  }

  async reconcile(run: ReconcileContext): Promise<Result> {
    const {
      controller: {
        kind,
        declaration: { when = () => true },
      },
      caches,
    } = this.#options;
    const cached = caches.reader(kind).get(run.key);
    if (cached === undefined) {
      this.#forget(run.key);
      return done;
    }
    if (isPaused(cached)) {
      run.log.info(`paused by the annotation ${pausedAnnotation}`);
      return done;
    }
    if (this.#terminal.blocks(run, cached)) return done;
    const finalized = await this.#finalized(run, cached);
    if ("type" in finalized) return finalized;
    return when(finalized.object) ? this.#bring(run, finalized.object) : done;
  }

  /** Returns what keeps an object from being reconciled; nothing if it is not in the cache. */
  obstacles(key: ObjectKey): readonly Obstacle[] {
    const { controller, caches } = this.#options;
    const object = caches.reader(controller.kind).get(key);
    if (object === undefined) return [];
    return objectObstacles(object, controller, { terminal: this.#terminal.reasonFor(key, object) });
  }

  /**
   * Returns what the next run would apply: computes the desired objects and sends dry runs. Never rejects. Does not call reconcile, cleanup
   * and status of the author, whose writes are not known, and changes nothing that a run remembers.
   */
  async plan(run: Errand): Promise<PlannedRun> {
    const {
      caches,
      applying,
      controller: { kind, slots },
    } = this.#options;
    try {
      const object = caches.reader(kind).get(run.key);
      if (object === undefined) return skippedRun("it does not exist");
      const [obstacle] = this.obstacles(run.key);
      if (obstacle !== undefined) return skippedRun(obstacle.message);
      if (slots.length === 0) return skippedRun("its controller declares no objects that it owns; what its reconcile writes is not known");
      const members = this.#members(run.key, object);
      const plan = this.#computing(this.#state(run, object, members), members)();
      const { runApply } = await applying();
      const applied = await this.#applyWith(run, object, plan, members, (...given) => runApply(...given, { isDryRun: true }));
      return plannedRun(applied, plan.holds);
    } catch (error) {
      return failedRun(error);
    }
  }

  #forget(key: ObjectKey): void {
    this.#flaps.forget(key);
    this.#settled.forget(key);
    this.#setIds.delete(key);
    this.#terminal.forget(key);
    this.#status.forget(key);
  }

  /** Returns the object to reconcile, with its finalizer; or the result, if nothing else is to be done. */
  async #finalized(
    run: ReconcileContext,
    object: DeepReadonly<KubeObject>,
  ): Promise<Result | { readonly object: DeepReadonly<KubeObject> }> {
    const {
      controller: {
        kind,
        finalizer,
        declaration: { when },
      },
    } = this.#options;
    if (finalizer === undefined) return object.metadata.deletionTimestamp === undefined ? { object } : done;
    const finalized = await finalize(object, run, {
      kind,
      finalizer,
      cleanup: (going) => this.#cleanUp(run, going, finalizer),
      ...definedOnly({ when }),
    });
    return finalized.type === "settled" ? finalized.result : { object: deepFreeze(finalized.object) };
  }

  async #cleanUp(run: ReconcileContext, object: DeepReadonly<KubeObject>, finalizer: string): Promise<Result> {
    const { controller, recorder } = this.#options;
    const {
      title,
      kind,
      slots,
      declaration: { cleanup, desired },
    } = controller;
    try {
      const answer =
        cleanup === undefined
          ? undefined
          : await this.#guarded(`${title}, cleanup`, () =>
              cleanup(this.#effects(run, this.#state(run, object, this.#members(run.key, object)))),
            );
      const result = resultOf(answer, `${title}, cleanup`);
      if (result.type !== "done" || desired === undefined || !slots.some((slot) => isBeyondReference(kind, slot.kind))) return result;
      // The garbage collector does not delete objects without an owner reference.
      const outcome = await this.#apply(run, object, { objects: [], holds: [] }, new Map());
      return outcome.isSettled ? done : after("5s");
    } catch (error) {
      if (!isQuiet(error, run)) {
        objectEvents(object, recorder).warning(
          "CleanupFailed",
          `the finalizer ${finalizer} keeps ${kind.kind} ${object.metadata.name ?? ""} until cleanup succeeds; cleanup failed: ${errorText(error)}. To delete the object anyway, clean up manually and remove the finalizer`,
        );
        await this.#status.putCleanupFailure(run, object, error);
      }
      if (isTerminalError(error)) return stop(errorText(error));
      throw error;
    }
  }

  async #bring(run: ReconcileContext, object: DeepReadonly<KubeObject>): Promise<Result> {
    const progress = await this.#progress(run, object);
    const { failure } = progress;
    const isTerminal = failure !== undefined && isTerminalError(failure.error);
    if (failure !== undefined && isQuiet(failure.error, run)) return progress.result;
    if (failure !== undefined)
      objectEvents(object, this.#options.recorder).warning(
        failure.isStalled ? "ReconcileStopped" : "ReconcileFailed",
        errorText(failure.error),
      );
    try {
      await this.#status.put(run, progress);
    } catch (error) {
      if (failure === undefined) throw error;
      run.log.warn("cannot write the failure to the status", { error });
    }
    // Not retried, but run again when the object or an owned one changes: deleting that one is also a fix.
    if (failure !== undefined && onlyImmutable(failure.error)) return stop(errorText(failure.error));
    if (!isTerminal) return progress.result;
    const reason = errorText(failure.error);
    this.#terminal.record(run.key, object, reason);
    return stop(reason);
  }

  async #progress(run: ReconcileContext, object: DeepReadonly<KubeObject>): Promise<Progress> {
    const {
      controller: {
        title,
        declaration: { desired, reconcile },
      },
    } = this.#options;
    let members = this.#members(run.key, object);
    let state = this.#state(run, object, members);
    let holds: readonly HeldSlot[] = [];
    let result: Result = done;
    try {
      if (desired !== undefined) {
        const plan = this.#plan(run, state, members);
        ({ holds } = plan);
        const outcome = await this.#applyUnlessSettled(run, object, plan, members);
        members = membersAfter(members, plan, outcome);
        state = this.#state(run, sameSpec(object, outcome.owner) ? deepFreeze(outcome.owner) : object, members);
        holds = [...holds, ...waitsOf(plan, outcome)];
        if (holds.length > 0) run.log.debug("slots held", { holds: holds.map(({ slot, why }) => `${slot}: ${why}`) });
      }
      if (reconcile !== undefined)
        result = resultOf(await this.#guarded(`${title}, reconcile`, () => reconcile(this.#effects(run, state))), `${title}, reconcile`);
    } catch (error) {
      return { state, holds, result: retry(error), failure: { error, isStalled: isTerminalError(error) || onlyImmutable(error) } };
    }
    const failure =
      result.type === "retry"
        ? { error: result.error, isStalled: isTerminalError(result.error) }
        : result.type === "stop"
          ? { error: new Error(result.reason), isStalled: true }
          : undefined;
    return { state, holds, result, failure };
  }

  #plan(run: ReconcileContext, state: State, members: Members): DesiredPlan {
    const {
      controller: { title },
      recorder,
      evaluateAgain,
    } = this.#options;
    const where = `${title}, desired`;
    let hasReadCaches = false;
    const noting = notingReads(state, () => {
      hasReadCaches = true;
    });
    const compute = this.#computing(noting, members);
    const plan = compute();
    // What is made once may differ each time.
    const compared = (objects: DesiredPlan["objects"]): DesiredPlan["objects"] => objects.filter(({ slot }) => slot.make === undefined);
    evaluateAgain?.(() => checkSameAnswer(compared(plan.objects), compared(compute().objects), where));
    const flapping = this.#flaps.look(
      run.key,
      state.object,
      { objects: compared(plan.objects), again: () => compared(compute().objects), hasReadCaches },
      where,
    );
    if (flapping !== undefined) {
      run.log.warn(
        "desired keeps changing although the object does not: with a time or counter in it, every run writes and every write triggers a run",
        { fields: flapping, code: flapCode },
      );
      objectEvents(state.object, recorder).warning(
        "DesiredFlaps",
        `the desired objects keep changing although the object does not: ${flapping}`,
      );
    }
    return plan;
  }

  /** Returns a function that calls `desired`. */
  #computing(state: State, members: Members): () => DesiredPlan {
    const { controller, caches } = this.#options;
    const {
      title,
      declaration: { desired },
    } = controller;
    const make = (slot: NamedSlot): unknown => asMistake(`${title}, once, slot ${slot.name}`, () => slot.make?.(state as never));
    return () => {
      const answer = desired === undefined ? {} : asMistake(`${title}, desired`, () => desired(state));
      const { objects, holds } = desiredPlan(answer, controller, { object: state.object, members, make });
      return { objects: objects.filter(({ slot }) => caches.isServed(slot.kind)), holds };
    };
  }

  async #applyUnlessSettled(
    run: ReconcileContext,
    object: DeepReadonly<KubeObject>,
    plan: DesiredPlan,
    members: Members,
  ): Promise<ApplyOutcome> {
    const answer = this.#flaps.answerOf(run.key);
    if (answer === undefined) return this.#apply(run, object, plan, members);
    const inputs = { owner: object, plan, answer, candidates: this.#candidates(run.key, object, members) };
    const settled = this.#settled.outcome(run.key, inputs);
    if (settled !== undefined) return settled;
    let hasAsked = false;
    const outcome = await this.#apply(run, object, plan, members, () => {
      hasAsked = true;
    });
    this.#settled.remember(run.key, inputs, outcome, hasAsked);
    return outcome;
  }

  /** The objects that an apply finds in the caches. For a kind with two slots, also objects that are in neither. */
  #candidates(key: ObjectKey, object: DeepReadonly<KubeObject>, members: Members): readonly DeepReadonly<KubeObject>[] {
    const {
      caches,
      controller: { slots },
    } = this.#options;
    const shared = new Map(slots.filter(({ isShared }) => isShared).map(({ kind }) => [kindKey(kind), kind]));
    return [
      ...slots.flatMap(({ name, isShared }) => (isShared ? [] : (members.get(name) ?? []))),
      ...[...shared.values()].flatMap((kind) => membersOfKind(caches, kind, object, this.#setId(key, object))),
    ];
  }

  /** @param onAsk - called before each request */
  async #apply(
    run: ReconcileContext,
    object: DeepReadonly<KubeObject>,
    plan: DesiredPlan,
    members: Members,
    onAsk?: () => void,
  ): Promise<ApplyOutcome> {
    const { apply } = await this.#options.applying();
    return this.#applyWith(run, object, plan, members, apply, onAsk);
  }

  /** Calls a function that applies. */
  async #applyWith<T>(
    run: Errand,
    object: DeepReadonly<KubeObject>,
    { objects, holds }: DesiredPlan,
    members: Members,
    apply: (set: ApplySet, owner: SetOwner, objects: readonly DesiredObject[], context: ApplyContext) => Promise<T>,
    onAsk: () => void = () => undefined,
  ): Promise<T> {
    const {
      caches,
      clock,
      applying,
      controller: {
        kind,
        slots,
        declaration: { set: { prune = true } = {} },
      },
    } = this.#options;
    const { memory } = await applying();
    const owner: SetOwner = { kind, object };
    const isHeld = heldMembers(
      slots.filter(({ name }) => holds.some(({ slot }) => slot === name)),
      members,
    );
    // Objects in other versions of an absent kind must not be taken for objects that are no longer desired.
    const absent = slots.filter((slot) => !caches.isServed(slot.kind));
    const isKept = (member: DeepReadonly<KubeObject>): boolean => isHeld(member) || absent.some((slot) => isOfKind(member, slot.kind));
    const set: ApplySet = { ...this.#set(), prune: (member) => !isKept(member) && (typeof prune === "function" ? prune(member) : prune) };
    const id = this.#setId(run.key, object);
    return apply(
      set,
      owner,
      objects.map(({ desired }) => desired),
      {
        signal: run.signal,
        log: run.log,
        clock,
        memory,
        get client() {
          onAsk();
          return run.client;
        },
        members: (member) =>
          slots.some((slot) => kindKey(slot.kind) === kindKey(member)) ? membersOfKind(caches, member, object, id) : undefined,
      },
    );
  }

  #set(): ApplySet {
    const {
      controller: {
        setName,
        fieldManager,
        kind,
        slots,
        declaration: { set = {} },
      },
    } = this.#options;
    const isWide = slots.some((slot) => isBeyondReference(kind, slot.kind));
    return { ...set, name: setName, fieldManager, kinds: slots.map((slot) => slot.kind), ...(isWide ? { scope: "cluster" as const } : {}) };
  }

  #setId(key: ObjectKey, object: DeepReadonly<KubeObject>): string {
    const known = this.#setIds.get(key);
    if (known !== undefined) return known;
    const { id } = setIdentity(this.#set(), { kind: this.#options.controller.kind, object });
    this.#setIds.set(key, id);
    return id;
  }

  #members(key: ObjectKey, object: DeepReadonly<KubeObject>): Members {
    const {
      caches,
      controller: { slots },
    } = this.#options;
    return readMembers(caches, slots, object, this.#setId(key, object));
  }

  #state({ key }: Errand, object: DeepReadonly<KubeObject>, members: Members): State {
    const { caches, controller } = this.#options;
    // Every object from the server has a name.
    return {
      ...caches.reads(controller, object.metadata.namespace ?? ""),
      key,
      object: object as State["object"],
      owned: ownedOf(controller.slots, members),
    };
  }

  #effects(run: ReconcileContext, state: State): EffectContext<KubeObject, Owns> {
    return effectContext(state, run, this.#options);
  }

  /** Calls a function that may be async and may try to write to cached objects. */
  async #guarded<V>(where: string, work: () => V | Promise<V>): Promise<V> {
    const started = asMistake(where, work);
    try {
      return await started;
    } catch (error) {
      return asMistake<never>(where, () => {
        throw error;
      });
    }
  }
}

/** Expected errors that need no Event: a conflict, a lost lease, or a run that is being aborted. */
const isQuiet = (error: unknown, { signal }: ReconcileContext): boolean =>
  signal.aborted || isConflict(error) || isFenced(error) || isRunOver(error);
/** Reports whether results computed from one version hold for the other. False if the server counts no generations. */
const sameSpec = ({ metadata: { uid, generation } }: DeepReadonly<KubeObject>, { metadata }: DeepReadonly<KubeObject>): boolean =>
  generation !== undefined && generation === metadata.generation && uid === metadata.uid;

/** Returns the state with cache reads that call `note`. */
function notingReads(state: State, note: () => void): State {
  const { get, list, isServed, index } = state;
  const noted =
    <A extends readonly unknown[], V>(read: (...given: A) => V) =>
    (...given: A): V => {
      note();
      return read(...given);
    };
  return { ...state, get: noted(get), list: noted(list), isServed: noted(isServed), index: noted(index) };
}
