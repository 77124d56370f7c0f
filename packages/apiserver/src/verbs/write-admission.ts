/** What admission plug-ins see of a write, for all verbs. */
import { parseWriteOptions } from "@drover/machinery";
import type { DeleteOptions, JsonObject } from "@drover/machinery";
import type { User } from "../access/user.ts";
import type { AdmissionOperation, AdmissionRequest } from "../admission/admission.ts";
import type { Codec } from "../codec/codec.ts";
import type { Pause, Resource } from "../registry/resource.ts";
import type { RequestContext } from "../request/request-context.ts";
import { namespaceOf } from "./names.ts";

export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly subresource: string;
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
  readonly dryRun: boolean;
  /** Of `object`. @default that of the resource */
  readonly codec?: Codec;
  /** @default the options in the query */
  readonly deleteOptions?: DeleteOptions;
}

/** A class, because every write makes one: its methods cost nothing until they are called. */
export class WriteAdmission implements AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  /** Set again when a name was generated. */
  name: string;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
  readonly codec: Codec;
  readonly user: User;
  readonly dryRun: boolean;
  readonly signal: AbortSignal | undefined;
  readonly remainingMs: (() => number) | undefined;
  readonly pause: Pause | undefined;
  round = 0;
  wantsReinvocation = false;
  readonly #context: RequestContext;
  readonly #deleteOptions: DeleteOptions | undefined;

  constructor(context: RequestContext, write: AdmittedWrite) {
    const { operation, subresource, name, object, old, dryRun, codec = context.resource.codec, deleteOptions } = write;
    this.operation = operation;
    this.resource = context.resource;
    this.subresource = subresource;
    this.namespace = namespaceOf(context);
    this.name = name;
    this.object = object;
    this.old = old;
    this.codec = codec;
    this.user = context.user;
    this.dryRun = dryRun;
    this.signal = context.request.signal;
    this.remainingMs = context.remainingMs;
    this.pause = context.request.pause;
    this.#context = context;
    this.#deleteOptions = deleteOptions;
  }

  options(): JsonObject | null {
    const { query } = this.#context;
    if (this.operation === "CONNECT") return null;
    if (this.#deleteOptions !== undefined) return optionsOf("DeleteOptions", this.#deleteOptions);
    // A patch has the options of the write that follows from it.
    return optionsOf(this.operation === "UPDATE" ? "UpdateOptions" : "CreateOptions", parseWriteOptions(query));
  }

  warn(message: string): void {
    this.#context.warnings.add(message);
  }

  annotate(key: string, value: string): void {
    this.#context.annotations.add(key, value);
  }
}

const optionsOf = (kind: string, options: object): JsonObject => ({ kind, apiVersion: "meta.k8s.io/v1", ...(options as JsonObject) });
