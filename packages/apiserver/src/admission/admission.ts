/**
 * Admission plug-ins: change or refuse a write after it is decoded and before it is stored.
 *
 *     decode → mutate (all, in order, perhaps twice) → validation → validate (all, in order) → store
 */
import type { JsonObject } from "@drover/machinery";
import type { User } from "../access/user.ts";
import type { Codec } from "../codec/codec.ts";
import type { Pause, Resource } from "../registry/resource.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One write. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: Resource;
  /** "" for the object itself. */
  readonly subresource: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  /** "" for a name yet to be generated, and for a collection. */
  readonly name: string;
  /** Undefined for deletions. `mutate` changes it in place. */
  readonly object: JsonObject | undefined;
  /** Undefined for creations; never changed. */
  readonly old: JsonObject | undefined;
  /** Decodes `object` again after a plug-in has replaced parts of it. */
  readonly codec: Codec;
  readonly user: User;
  readonly dryRun: boolean;
  /** Aborts when the client leaves, or when the timeout of the request expires. @default never */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the timeout of the request expires. @default no timeout */
  readonly remainingMs?: (() => number) | undefined;
  /** Lets other requests have their turn between long steps. @default no pause */
  readonly pause?: Pause | undefined;
  /** 0, and 1 while the mutating plug-ins run a second time. */
  round: number;
  /** Whether the mutating plug-ins must run again, because the object has changed after most of them. Webhooks and policies set it. */
  wantsReinvocation: boolean;
  /** The options of the request with their kind: `{ kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" }`; null for CONNECT. */
  options(): JsonObject | null;
  /** Adds a `Warning` header to the response. */
  warn(message: string): void;
  /** Adds an annotation to the audit event of the request. The first value of a key is kept. */
  annotate(key: string, value: string): void;
}

/** Both members refuse a write by throwing a `StatusError`. */
export interface AdmissionPlugin {
  /** As in `--enable-admission-plugins`. */
  readonly name: string;
  /** @default no change */
  readonly mutate?: (request: AdmissionRequest) => Promise<void> | void;
  /** @default no validation */
  readonly validate?: (request: AdmissionRequest) => Promise<void> | void;
}

/**
 * Combines plug-ins into one. Mutating plug-ins run a second time at the request of one of them, and never a third time. Waits only
 * for plug-ins that return a promise: most have nothing to do for most writes.
 */
export function admissionChain(plugins: readonly AdmissionPlugin[]): Required<AdmissionPlugin> {
  const mutators = plugins.flatMap(({ mutate }) => mutate ?? []);
  const validators = plugins.flatMap(({ validate }) => validate ?? []);
  return {
    name: plugins.map(({ name }) => name).join(","),
    mutate: async (request) => {
      await runAll(mutators, request);
      if (!request.wantsReinvocation) return;
      request.round = 1;
      await runAll(mutators, request);
    },
    validate: async (request) => await runAll(validators, request),
  };
}

type Step = NonNullable<AdmissionPlugin["mutate"]>;

/** Most plug-ins have nothing to wait for, and each wait costs a turn. */
async function runAll(steps: readonly Step[], request: AdmissionRequest): Promise<void> {
  for (const step of steps) {
    const pending = step(request);
    if (pending !== undefined) await pending;
  }
}
