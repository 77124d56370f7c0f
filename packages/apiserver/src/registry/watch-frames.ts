/**
 * Turns writes into watch events. For a watcher with selectors, an object that starts or stops matching is ADDED or DELETED. Each
 * event is rendered once for all watchers.
 */
import { encodeJson, encodeWatchEvent, initialEventsEndAnnotation, isJsonObject } from "@drover/machinery";
import { encodeWatchMessage } from "@drover/machinery/protobuf";
import type { JsonObject, Status, WatchEventType } from "@drover/machinery";
import { encodeKind, encodeObject, objectMessage } from "../codec/object-message.ts";
import { jsonOf } from "../typed-object.ts";
import type { ObjectViews } from "./object-views.ts";
import type { Resource } from "./resource.ts";
import type { ObjectBody } from "./object-body.ts";
import type { Revision, StoreBatch, StoreEvent, Stored } from "../storage/store.ts";
import type { Selection } from "./selection.ts";

/** One event of a watch. */
export interface WatchFrame {
  readonly type: WatchEventType;
  readonly body: ObjectBody;
  /** The event as a JSON line, for watchers of whole objects; rendered once. */
  readonly line: () => string;
  /** The event in protobuf. For custom resources only errors have this form. */
  readonly bytes: () => Uint8Array;
}

/** Guarantees: renders each write at most once per event type. */
export class WatchFrames {
  readonly #resource: Resource;
  readonly #views: ObjectViews;
  readonly #frames = new WeakMap<StoreEvent, Map<WatchEventType, WatchFrame>>();
  /** Frames of the most recent write: watchers ask for the same one in turn. */
  #last: { readonly event: StoreEvent; readonly frames: Map<WatchEventType, WatchFrame> } | undefined;

  /** Frames of batches, which the watchers of a prefix share. */
  readonly #batches = new WeakMap<StoreBatch, readonly WatchFrame[]>();

  constructor(resource: Resource, views: ObjectViews) {
    this.#resource = resource;
    this.#views = views;
  }

  /** Returns the events of a batch for a selection of everything; the same array for all its watchers. */
  ofAll(batch: StoreBatch, selection: Selection): readonly WatchFrame[] {
    let frames = this.#batches.get(batch);
    if (frames === undefined) this.#batches.set(batch, (frames = batch.events.flatMap((event) => this.of(event, selection) ?? [])));
    return frames;
  }

  /** Returns the event of a write for a selection; undefined when the selection does not see it. */
  of(event: StoreEvent, selection: Selection): WatchFrame | undefined {
    const { current, previous } = event;
    const isIn = current !== undefined && selection.matchesStored(this.#views, current);
    const wasIn = previous !== undefined && selection.matchesStored(this.#views, previous);
    if (isIn) return this.#frame(event, wasIn ? "MODIFIED" : "ADDED", current);
    // The last state of the object, at the revision of its deletion.
    return wasIn ? this.#frame(event, "DELETED", previous) : undefined;
  }

  /** Returns an ADDED event for an existing object. */
  added(stored: Stored): WatchFrame {
    return this.#make("ADDED", stored, stored.modRevision);
  }

  /** Returns a bookmark: the watch is complete up to this revision. */
  bookmark(revision: Revision, { endsInitialEvents = false }: { readonly endsInitialEvents?: boolean } = {}): WatchFrame {
    const annotations = endsInitialEvents ? { annotations: { [initialEventsEndAnnotation]: "true" } } : {};
    const { emptyObject, isCustom, scale } = this.#resource;
    const { kind = "", apiVersion = "", metadata: _metadata, ...rest } = emptyObject;
    const object: JsonObject = {
      kind,
      apiVersion,
      metadata: { resourceVersion: String(revision), ...annotations },
      ...(isCustom ? {} : rest),
    };
    const { spec } = object;
    // kube-apiserver's internal replicas are not pointers, so an empty object prints 0.
    if (!isCustom && scale !== undefined && isJsonObject(spec)) object["spec"] = { replicas: 0, selector: null, ...spec };
    return plainFrame("BOOKMARK", object);
  }

  #frame(event: StoreEvent, type: WatchEventType, stored: Stored): WatchFrame {
    const frames = this.#last?.event === event ? this.#last.frames : this.#framesOf(event);
    let frame = frames.get(type);
    if (frame === undefined) frames.set(type, (frame = this.#make(type, stored, event.revision)));
    return frame;
  }

  #framesOf(event: StoreEvent): Map<WatchEventType, WatchFrame> {
    const frames = this.#frames.get(event) ?? new Map<WatchEventType, WatchFrame>();
    this.#frames.set(event, frames);
    this.#last = { event, frames };
    return frames;
  }

  #make(type: WatchEventType, stored: Stored, revision: Revision): WatchFrame {
    const views = this.#views;
    const body: ObjectBody = {
      text: () => views.text(stored, revision),
      object: () => views.object(stored, revision),
      message: () => views.message(stored, revision),
    };
    let line: string | undefined;
    let bytes: Uint8Array | undefined;
    return {
      type,
      body,
      line: () => (line ??= encodeWatchEvent(type, body.text())),
      bytes: () => (bytes ??= encodeWatchMessage({ type, object: encodeKind(this.#resource.kind, body.message()) })),
    };
  }
}

/** Returns the ERROR event that ends a watch. */
export const errorFrame = (status: Status): WatchFrame => plainFrame("ERROR", jsonOf(status));

function plainFrame(type: WatchEventType, object: JsonObject): WatchFrame {
  const text = encodeJson(object);
  const body: ObjectBody = { text: () => text, object: () => object, message: () => objectMessage(object) };
  return { type, body, line: () => encodeWatchEvent(type, text), bytes: () => encodeWatchMessage({ type, object: encodeObject(object) }) };
}
