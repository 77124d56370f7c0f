/** An object in the forms a response can have; each is produced on demand. */
import type { JsonObject } from "@drover/machinery";

/** One object as JSON text, as a value, or as protobuf. */
export interface ObjectBody {
  readonly text: () => string;
  readonly object: () => JsonObject;
  /** The protobuf message without its envelope. Custom resources have none. */
  readonly message: () => Uint8Array;
}

/** An item of a list; items of built-in kinds carry no `kind` and `apiVersion`. */
export interface ListItem extends ObjectBody {
  readonly itemText: () => string;
}
