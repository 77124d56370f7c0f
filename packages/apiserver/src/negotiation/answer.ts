/** What a verb has to say, before it is known in which form the client wants it. */
import type { JsonObject, ListMeta, WatchEventType } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";
import type { TablePrinter } from "../registry/table-printer.ts";

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

/** One line of a watch. */
export interface WatchFrame {
  readonly type: WatchEventType;
  readonly body: ObjectBody;
  /** The line as it is for everybody who wants the object as it is, written once. */
  readonly line: () => string;
  /** The same in protobuf. Of custom resources only errors have this form. */
  readonly bytes: () => Uint8Array;
}

export type Answer =
  /** An object of the resource. */
  | { readonly kind: "object"; readonly code: number; readonly resource: Resource; readonly body: ObjectBody }
  | { readonly kind: "list"; readonly resource: Resource; readonly metadata: ListMeta; readonly items: readonly ListItem[] }
  | {
      readonly kind: "watch";
      readonly resource: Resource;
      /** Each frame as it is printed, when it has come; can be asked for once. */ readonly lines: <T extends string | Uint8Array>(
        print: (frame: WatchFrame) => T,
      ) => AsyncIterable<T>;
    }
  /** No object at all, as it comes: the log of a container. */
  | { readonly kind: "stream"; readonly contentType: string; readonly body: AsyncIterable<string> }
  /** There is nothing to say, and that is no mistake. */
  | { readonly kind: "nothing" }
  /** Anything else: a Status, a Scale, a review. `table` is how it looks as one; what has none is answered as it is. */
  | { readonly kind: "value"; readonly code: number; readonly value: JsonObject; readonly table?: TablePrinter };
