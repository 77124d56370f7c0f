/**
 * Own writes that one informer has not observed yet.
 *
 *     OwnWrite → remember → (the informer emits the change) → forgotten, and waiting reads continue
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
  /** Resource in logs and metrics. */
  readonly name: string;
  readonly informer: Pick<InformerView<KubeObject>, "getVersion" | "addHandler">;
  readonly waitMaxMs: number;
  readonly writesMax: number;
  /** Reports whether the informer will observe a write; other writes are not remembered. */
  readonly shows: (write: OwnWrite) => boolean;
}

interface Remembered {
  /** The last write; waits for an earlier write wait for this one. */
  write: OwnWrite;
  /** Opens when the cache has observed the write, or on timeout. */
  readonly end: Latch;
  isSeen: boolean;
  cancel: () => void;
}

/** Guarantees: keeps only the last write per key, and forgets it when it is observed, on timeout, or when there are too many. */
export class OwnWriteMemory {
  readonly #options: OwnWriteMemoryOptions;
  readonly #writes = new Map<ObjectKey, Remembered>();
  /** Uids of objects deleted while a write was in flight: its response may arrive after the deletion event. */
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
      .counter({ name: "informer_own_writes_late_total", help: "Own writes that the cache did not observe in time", labels: ["resource"] })
      .with({ resource: name });
    this.#registration = informer.addHandler((change) => this.#changed(change), { name: "read your writes" });
  }

  get size(): number {
    return this.#writes.size;
  }

  /** Returns the last write to a key, if the cache has not observed it. */
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

  /** Waits for the write to a key, or for all writes. Resolves with false if one timed out before it was observed. */
  async caughtUp(key: ObjectKey | undefined, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted();
    const waited = (key === undefined ? [...this.#writes.values()] : [this.#writes.get(key)]).filter((one) => one !== undefined);
    // The store may be ahead of the changes that we have received.
    for (const { write } of waited) this.isCaughtUp(write.key);
    // Sequentially: a run may have written hundreds of objects, and each wait adds a listener to the signal.
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
    // A response that is never read to its end stays in flight forever, so limit what is kept because of it.
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
    log.warn("own write not observed in time, continuing with a stale cache", {
      resource: name,
      key,
      code: "DRV0506",
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

/** Reports whether `a` is a later state of the same object than `b`; responses may arrive out of order. */
function isLater(a: OwnWrite, b: OwnWrite): boolean {
  if (a.uid !== b.uid) return false;
  if (a.seen.type === "version" && b.seen.type === "version")
    return compareResourceVersions(a.seen.resourceVersion, b.seen.resourceVersion) === 1;
  return a.seen.type === "gone" && b.seen.type !== "gone";
}
