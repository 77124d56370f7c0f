/**
 * The state that an earlier process has kept: a reflector starts with it instead of a list, if the server is the same and still has the
 * history since then.
 */
import type { KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";

/** Loads the state of an earlier process. */
export interface KeptSource<T extends KubeObject> {
  /** Returns the state; undefined if there is none. Rejects only with the signal's reason. */
  load(signal: AbortSignal): Promise<{ readonly versions: readonly ObjectVersion<T>[]; readonly resourceVersion: string } | undefined>;
  /** Asks whether the loaded state is of this server. Rejects with errors of the request. */
  isSameServer(signal: AbortSignal): Promise<boolean>;
  /** Called once after `load` has returned a state: it is resumed with a watch, compared with a list, or dropped. */
  used(how: "watch" | "list" | "dropped", why?: string): void;
}
