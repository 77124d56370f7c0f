/** An object in the forms an answer can have; each form is made when it is asked for. */
import type { JsonObject } from "@drover/machinery";

/** An object that can be had as text, as a value or as protobuf, whichever is wanted. */
export interface ObjectBody {
  readonly text: () => string;
  readonly object: () => JsonObject;
  /** The message of the object without an envelope. Custom resources have none. */
  readonly message: () => Uint8Array;
}

/** An item of a list; built-in kinds leave out of its text what they are. */
export interface ListItem extends ObjectBody {
  readonly itemText: () => string;
}
