/**
 * Who may change or refuse a write after it was understood and before it is stored: plug-ins, each asked in turn.
 *
 *     decode → mutate (all, in order) → validation → validate (all, in order) → store
 */
import type { JsonObject } from "@drover/machinery";
import type { User } from "../access/user.ts";
import type { Resource } from "../registry/resource.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One write. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: Resource;
  /** "" is the resource itself. */
  readonly subresource: string;
  /** "" for what lives in no namespace. */
  readonly namespace: string;
  /** "" while it is to be generated, and for a collection. */
  readonly name: string;
  /** Absent from deletions. `mutate` changes it in place. */
  readonly object: JsonObject | undefined;
  /** Absent from creations; never changed. */
  readonly old: JsonObject | undefined;
  readonly user: User;
  readonly dryRun: boolean;
  readonly warn: (message: string) => void;
}

/** Both members throw a `StatusError` to refuse. */
export interface AdmissionPlugin {
  /** As in `--enable-admission-plugins`. */
  readonly name: string;
  /** @default changes nothing */
  readonly mutate?: (request: AdmissionRequest) => Promise<void> | void;
  /** @default refuses nothing */
  readonly validate?: (request: AdmissionRequest) => Promise<void> | void;
}

/** Several plug-ins as one. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): Required<AdmissionPlugin> {
  const mutators = plugins.flatMap(({ mutate }) => mutate ?? []);
  const validators = plugins.flatMap(({ validate }) => validate ?? []);
  return {
    name: plugins.map(({ name }) => name).join(","),
    mutate: async (request) => {
      for (const mutate of mutators) await mutate(request);
    },
    validate: async (request) => {
      for (const validate of validators) await validate(request);
    },
  };
}
