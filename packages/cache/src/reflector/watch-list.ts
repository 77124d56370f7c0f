/**
 * The beginning of a watch-list: the present state as events, up to the bookmark that says it is whole. The stream goes on after it.
 *
 *     ReflectorStream → collectInitialEvents → the whole state, or why there is none
 */
import { ApiError, Patience } from "@drover/machinery";
import type { Clock, KubeObject, ObjectKey, TurnKeeper } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import type { ReflectorStream } from "./reflector-stream.ts";
import type { PoisonReport, LazyWatchEvent } from "../source/version-source.ts";

export type InitialEvents<T extends KubeObject> =
  | { readonly kind: "whole"; readonly versions: readonly ObjectVersion<T>[]; readonly resourceVersion: string }
  /** The stream ended, or paused for too long, without the bookmark: a proxy that holds bookmarks back looks like this. */
  | { readonly kind: "incomplete"; readonly error: Error }
  /** The server said why. */
  | { readonly kind: "error"; readonly error: ApiError };

export interface CollectOptions {
  readonly clock: Clock;
  readonly turns: TurnKeeper;
  /** How long the server may pause. */
  readonly patienceMs: number;
  readonly onPoison: (report: PoisonReport) => void;
}

/** The initial events never ended. */
export class WatchListIncompleteError extends Error {
  override readonly name = "WatchListIncompleteError";
}

/** Reads until the state is whole; what came in the same batch behind that is put back. Rejects with what the stream rejects with. */
export async function collectInitialEvents<T extends KubeObject>(
  stream: ReflectorStream<T>,
  { clock, turns, patienceMs, onPoison }: CollectOptions,
): Promise<InitialEvents<T>> {
  const state = new Map<ObjectKey, ObjectVersion<T>>();
  const stalled = new WatchListIncompleteError(
    `the server sent nothing for ${patienceMs} ms, and had not said that the initial events are complete`,
  );
  const patience = new Patience(clock, patienceMs, () => stream.end(stalled));
  try {
    for (;;) {
      patience.begin();
      const batch = await stream.next();
      patience.end();
      if (batch === undefined)
        return {
          kind: "incomplete",
          error: new WatchListIncompleteError("the stream ended, and the server had not said that the initial events are complete"),
        };
      await turns.due(stream.signal);
      const end = collect(batch, state, onPoison);
      if (end === undefined) continue;
      if ("error" in end) return { kind: "error", error: end.error };
      stream.putBack(batch.slice(end.index + 1));
      return { kind: "whole", versions: [...state.values()], resourceVersion: end.resourceVersion };
    }
  } catch (error) {
    if (error === stalled) return { kind: "incomplete", error: stalled };
    throw error;
  } finally {
    patience.close();
  }
}

type End = { readonly index: number; readonly resourceVersion: string } | { readonly error: ApiError };

function collect<T extends KubeObject>(
  batch: readonly LazyWatchEvent<T>[],
  state: Map<ObjectKey, ObjectVersion<T>>,
  onPoison: (report: PoisonReport) => void,
): End | undefined {
  let index = -1;
  for (const event of batch) {
    index++;
    switch (event.type) {
      case "ADDED":
      case "MODIFIED":
        state.set(event.version.key, event.version);
        break;
      case "DELETED":
        state.delete(event.version.key);
        break;
      case "BOOKMARK":
        if (event.endsInitialEvents) return { index, resourceVersion: event.resourceVersion };
        break;
      case "POISON":
        onPoison(event.report);
        break;
      case "ERROR":
        return { error: new ApiError(event.status, { attempt: "watch" }) };
    }
  }
  return undefined;
}
