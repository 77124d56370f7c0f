/**
 * Waits until one object meets a condition, by watching it: no polling, no missed states.
 *
 *     list of one → watch from its version → condition → the object
 *
 * Lists instead of getting: a list has a version even if the object does not exist, so its creation cannot be missed.
 * Requires the verbs `list` and `watch`.
 */
import {
  definedOnly,
  ApiError,
  TimeoutError,
  deadline,
  findApiError,
  isExpired,
  isGone,
  oneTermEqualSelector,
  sleep,
  isWatchFrameError,
} from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Scope } from "@drover/machinery";
import type { CallOptions, InNamespace } from "./call-options.ts";
import type { Client } from "./client.ts";
import { placeOfOne, targetOf } from "./resource-target.ts";
import type { ResourceVerbs } from "./resource-client.ts";
import { isCredentialError } from "../auth/credential-error.ts";
import { isResponseError } from "../rest/response-error.ts";
import { isWatchSilenceError } from "../rest/watch-lines.ts";
import { isTransportError } from "../transport/transport-error.ts";
import type { WaitCondition } from "./wait-condition.ts";

/** Last known state of the object. */
interface View<T> {
  readonly object: T | undefined;
  /** Version up to which it is known; undefined if a list is needed. */
  readonly since: string | undefined;
}

const delayMinMs = 500;
const delayMaxMs = 30_000;

/**
 * Resolves to the object as soon as the condition holds, or to undefined if it holds for a missing object.
 *
 * Survives the end of a watch, an expired version (410), lost connections and busy or failing servers, with a backoff of up
 * to 30 s. Refusals (401, 403, 404 of the kind itself …) are final, and so are an untrusted server, credentials that cannot
 * work and a closed transport. Rejects with the signal's reason, or when `timeoutMs` is over with a `TimeoutError` that
 * describes the last state.
 *
 *     const web = await waitFor(client, Deployment, "web", conditionTrue("Available"), { timeoutMs: 60_000 });
 */
export async function waitFor<T extends KubeObject, S extends Scope>(
  client: Client,
  kind: Kind<T, S>,
  name: string,
  condition: WaitCondition<NoInfer<T>>,
  options?: CallOptions & InNamespace<S>,
): Promise<T | undefined> {
  const { signal, timeoutMs = Infinity, namespace }: CallOptions & { readonly namespace?: string } = options ?? {};
  const { attempt } = placeOfOne("wait for", targetOf(kind), { name, namespace }, client.namespace);
  const { signal: limit, release } = deadline(client.clock, timeoutMs, definedOnly({ signal }));
  const call = {
    fieldSelector: oneTermEqualSelector("metadata.name", name),
    signal: limit,
    ...definedOnly({ namespace }),
  };
  const one = new OneObject<T>(client.resource(kind), call, attempt);
  let delayMs = 0;
  try {
    for (;;) {
      const started = client.clock.monotonic();
      let askedMs = 0;
      try {
        for await (const object of one.changes()) {
          delayMs = 0;
          if (condition(object as DeepReadonly<T> | undefined)) return object;
        }
      } catch (error) {
        limit.throwIfAborted();
        if (!one.goesOnAfter(error)) throw error;
        askedMs = (findApiError(error)?.retryAfterSeconds ?? 0) * 1000;
      }
      // Also after a clean end: a server that ends every watch at once must not get a thousand requests per second.
      if (client.clock.monotonic() - started >= delayMaxMs) delayMs = 0;
      delayMs = Math.max(delayMs, askedMs);
      await sleep(client.clock, delayMs, { signal: limit });
      delayMs = Math.min(Math.max(delayMs * 2, delayMinMs), delayMaxMs);
    }
  } catch (error) {
    if (signal?.aborted === true || error !== limit.reason) throw error;
    throw new TimeoutError(`${attempt}: the condition does not hold after ${timeoutMs} ms; ${one.lastSeen}`, { cause: error });
  } finally {
    release();
  }
}

/** One object, followed across any number of watches. */
class OneObject<T extends KubeObject> {
  readonly #resource: ResourceVerbs<T, Scope>;
  readonly #call: object;
  readonly #attempt: string;
  #view: View<T> = { object: undefined, since: undefined };
  #isKnown = false;

  constructor(resource: object, call: object, attempt: string) {
    this.#resource = resource as ResourceVerbs<T, Scope>;
    this.#call = call;
    this.#attempt = attempt;
  }

  get lastSeen(): string {
    if (!this.#isKnown) return "it could not be read";
    const { object } = this.#view;
    return object === undefined ? "it does not exist" : `last seen at version ${object.metadata.resourceVersion ?? "unknown"}`;
  }

  /** Yields every state of the object until the watch ends. Another call continues there. */
  async *changes(): AsyncGenerator<T | undefined, void, undefined> {
    if (this.#view.since === undefined) {
      const {
        items: [object],
        metadata,
      } = await this.#resource.list(this.#call);
      yield this.#saw(object, metadata.resourceVersion);
    }
    const { since } = this.#view;
    for await (const event of this.#resource.watch({ ...this.#call, ...definedOnly({ resourceVersion: since }) })) {
      if (event.type === "ERROR") throw new ApiError(event.object, { attempt: this.#attempt });
      const { resourceVersion } = event.object.metadata;
      if (event.type === "BOOKMARK") this.#view = { ...this.#view, since: resourceVersion };
      else yield this.#saw(event.type === "DELETED" ? undefined : event.object, resourceVersion);
    }
  }

  /** Reports whether a failure is transient; if so, drops the state that must be read again. */
  goesOnAfter(error: unknown): boolean {
    const isLost = isExpired(error) || isGone(error);
    if (isLost) this.#view = { ...this.#view, since: undefined };
    return isLost || isPassing(error);
  }

  #saw(object: T | undefined, since: string | undefined): T | undefined {
    this.#view = { object, since };
    this.#isKnown = true;
    return object;
  }
}

function isPassing(error: unknown): boolean {
  if (isResponseError(error) && isLasting(error.cause)) return false;
  if (isResponseError(error) || isWatchSilenceError(error) || isWatchFrameError(error)) return true;
  const code = findApiError(error)?.code ?? 0;
  return code === 429 || code >= 500;
}

/** Reports whether an error persists until the configuration changes. */
function isLasting(cause: unknown): boolean {
  if (isCredentialError(cause)) return cause.reason === "setup";
  return isTransportError(cause) && (cause.reason === "tls" || cause.reason === "closed" || cause.reason === "invalid-request");
}
