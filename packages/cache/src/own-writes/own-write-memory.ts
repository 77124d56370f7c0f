/**
 * The writes of ours that one informer does not show yet.
 *
 *     OwnWrite → remember → (the informer tells a change) → forgotten, and whoever waited goes on
 */
import { compareResourceVersions, Latch } from "@drover/machinery";
import type { BoundCounter, KubeObject, ObjectKey, Runtime } from "@drover/machinery";
import type { Change } from "../store/change.ts";
import type { HandlerRegistration } from "../handlers/handler-runner.ts";
import type { InformerView } from "../informer/informer.ts";
import { isSeen } from "./own-write.ts";
import type { OwnWrite } from "./own-write.ts";

export interface OwnWriteMemoryOptions {
  readonly runtime: Pick<Runtime, "clock" | "log" | "metrics">;
  /** The resource, for logs and metrics. */
  readonly name: string;
  readonly informer: Pick<InformerView<KubeObject>, "getVersion" | "addHandler">;
  readonly waitMaxMs: number;
  readonly writesMax: number;
  /** Whether the informer will ever show a write; those that it does not are not remembered. */
  readonly shows: (write: OwnWrite) => boolean;
}

interface Remembered {
  /** The last one: whoever waited for an earlier one waits for this. */
  write: OwnWrite;
  /** Open when the cache shows it or the time is up. */
  readonly end: Latch;
  isSeen: boolean;
  cancel: () => void;
}

/** Guarantees: one write for each key, the last one; each is forgotten when it is seen, when its time is up, or when there are too many. */
export class OwnWriteMemory {
  readonly #options: OwnWriteMemoryOptions;
  readonly #writes = new Map<ObjectKey, Remembered>();
  /** Uids whose end was seen while a write was under way: its answer may come after the end of what it speaks of. */
  readonly #ended = new Set<string>();
  readonly #registration: HandlerRegistration;
  readonly #late: BoundCounter;
  #underWay = 0;

  constructor(options: OwnWriteMemoryOptions) {
    const {
      runtime: { metrics },
      name,
      informer,
    } = options;
    this.#options = options;
    this.#late = metrics
      .counter({ name: "informer_own_writes_late_total", help: "Own writes that the cache did not show in time", labels: ["resource"] })
      .with({ resource: name });
    this.#registration = informer.addHandler((change) => this.#changed(change), { name: "read your writes" });
  }

  get size(): number {
    return this.#writes.size;
  }

  /** The last write to a key that the cache does not show yet. */
  get(key: ObjectKey): OwnWrite | undefined {
    return this.#writes.get(key)?.write;
  }

  writeBegins(): void {
    this.#underWay++;
  }

  writeEnds(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#ended.clear();
  }

  remember(write: OwnWrite): void {
    const {
      runtime: { clock },
      waitMaxMs,
      writesMax,
      informer,
      shows,
    } = this.#options;
    const { key, uid } = write;
    if (!shows(write)) return;
    const known = this.#writes.get(key);
    if (this.#ended.has(uid) || isSeen(write, informer.getVersion(key)) || (known !== undefined && isLater(known.write, write))) return;
    known?.cancel();
    const cancel = clock.timer(waitMaxMs, () => this.#tooLate(key));
    if (known === undefined) this.#writes.set(key, { write, end: new Latch(), isSeen: false, cancel });
    else Object.assign(known, { write, cancel });
    for (const oldest of this.#writes.keys()) {
      if (this.#writes.size <= writesMax) return;
      this.#forget(oldest, false);
    }
  }

  isCaughtUp(key: ObjectKey): boolean {
    const write = this.get(key);
    if (write === undefined) return true;
    const isShown = isSeen(write, this.#options.informer.getVersion(key));
    if (isShown) this.#forget(key, true);
    return isShown;
  }

  /** Waits for the write to a key, or for all; false when the time of one was up before it was seen. */
  async caughtUp(key: ObjectKey | undefined, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted();
    const waited = (key === undefined ? [...this.#writes.values()] : [this.#writes.get(key)]).filter((one) => one !== undefined);
    // The store is ahead of what we have been told while there is much to tell.
    for (const { write } of waited) this.isCaughtUp(write.key);
    // One after the other: a run may have written hundreds, and a signal is no place for as many listeners.
    for (const { end } of waited) await end.wait(signal);
    return waited.every((one) => one.isSeen);
  }

  close(): void {
    this.#registration.remove();
    for (const key of this.#writes.keys()) this.#forget(key, false);
  }

  #changed({ type, key, uid }: Change): void {
    if (type === "deleted" && this.#underWay > 0) this.#noteEnd(uid);
    const remembered = this.#writes.get(key);
    if (remembered === undefined) return;
    if ((type === "deleted" && uid === remembered.write.uid) || isSeen(remembered.write, this.#options.informer.getVersion(key)))
      this.#forget(key, true);
  }

  #noteEnd(uid: string): void {
    // An answer that nobody reads to its end is under way for ever; what is noted because of it must not grow.
    if (this.#ended.size >= this.#options.writesMax) this.#ended.clear();
    this.#ended.add(uid);
  }

  #tooLate(key: ObjectKey): void {
    const {
      runtime: { log },
      name,
      waitMaxMs,
    } = this.#options;
    this.#late.add();
    log.warn("the cache does not show a write of ours in time; reads go on without it", {
      resource: name,
      key,
      afterMs: waitMaxMs,
      write: this.get(key)?.seen,
    });
    this.#forget(key, false);
  }

  #forget(key: ObjectKey, wasSeen: boolean): void {
    const remembered = this.#writes.get(key);
    if (remembered === undefined) return;
    this.#writes.delete(key);
    remembered.cancel();
    remembered.isSeen = wasSeen;
    remembered.end.open();
  }
}

/** Whether `a` is about a later moment of the same object than `b`: answers may overtake each other. */
function isLater(a: OwnWrite, b: OwnWrite): boolean {
  if (a.uid !== b.uid) return false;
  if (a.seen.type === "version" && b.seen.type === "version")
    return compareResourceVersions(a.seen.resourceVersion, b.seen.resourceVersion) === 1;
  return a.seen.type === "gone" && b.seen.type !== "gone";
}
