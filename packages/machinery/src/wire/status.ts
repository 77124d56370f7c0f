/** `Status`: the response when there is no object to return, mostly an error. */
import type { ListMeta } from "../object/object.ts";

export interface StatusCause {
  /** Machine-readable: "FieldValueInvalid", "FieldManagerConflict", "ResourceVersionTooLarge" … */
  reason?: string;
  message?: string;
  /** Path of the field as the server prints it: "spec.containers[0].image". */
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  /** The resource ("pods") for storage errors, the kind ("Pod") for Invalid. */
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Status {
  kind: "Status";
  apiVersion: "v1";
  metadata: ListMeta;
  status?: "Success" | "Failure";
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}
