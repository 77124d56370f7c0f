/**
 * The start of a watch-list: the current state as events, up to the bookmark that completes it. The stream continues after it.
 *
 *     ReflectorStream → collectInitialEvents → the whole state, or an error
 */
import { ApiError, errorBrand, Patience } from "@drover/machinery";
import type { Clock, KubeObject, TurnKeeper } from "@drover/machinery";
import { InitialState } from "./initial-state.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import type { ReflectorStream } from "./reflector-stream.ts";
import type { PoisonReport, LazyWatchEvent } from "../source/version-source.ts";

export type InitialEvents<T extends KubeObject> =
  | { readonly kind: "whole"; readonly objects: readonly ObjectVersion<T>[]; readonly resourceVersion: string }
  /** The stream ended or paused for too long without the bookmark, for example because a proxy drops bookmarks. */
  | { readonly kind: "incomplete"; readonly error: Error }
  /** The server sent an error. */
  | { readonly kind: "error"; readonly error: ApiError };

export interface CollectOptions {
  readonly clock: Clock;
  readonly turns: TurnKeeper;
  /** Maximum pause between events. */
  readonly patienceMs: number;
  readonly onPoison: (report: PoisonReport) => void;
}

const brand = errorBrand<WatchListIncompleteError>("WatchListIncompleteError");

/** The server did not complete the initial events of a watch-list. */
export class WatchListIncompleteError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "WatchListIncompleteError";
}

/** Reports whether the error is a `WatchListIncompleteError`, also one of another copy of this package. */
export const isWatchListIncompleteError = (error: unknown): error is WatchListIncompleteError => brand.is(error);

/** Reads until the state is complete; puts back later events of the same batch. Rejects with the error of the stream. */
export async function collectInitialEvents<T extends KubeObject>(
  stream: ReflectorStream<T>,
  { clock, turns, patienceMs, onPoison }: CollectOptions,
): Promise<InitialEvents<T>> {
  const state = new InitialState<T>();
  const stalled = new WatchListIncompleteError(`the server sent nothing for ${patienceMs} ms before it completed the initial events`);
  const patience = new Patience(clock, patienceMs, () => stream.end(stalled));
  try {
    for (;;) {
      patience.begin();
      const batch = await stream.next();
      patience.end();
      if (batch === undefined)
        return {
          kind: "incomplete",
          error: new WatchListIncompleteError("the stream ended before the server completed the initial events"),
        };
      await turns.due(stream.signal);
      const end = collect(batch, state, onPoison);
      if (end === undefined) continue;
      if ("error" in end) return { kind: "error", error: end.error };
      stream.putBack(batch.slice(end.index + 1));
      return { kind: "whole", objects: state.versions(), resourceVersion: end.resourceVersion };
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
  state: InitialState<T>,
  onPoison: (report: PoisonReport) => void,
): End | undefined {
  let index = -1;
  for (const event of batch) {
    index++;
    switch (event.type) {
      case "ADDED":
      case "MODIFIED":
        state.set(event.version);
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
