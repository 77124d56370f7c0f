/** What a verb has to say, before it is known in which form the client wants it. */
import type { JsonObject, ListMeta } from "@drover/machinery";
import type { ListItem, ObjectBody } from "../registry/object-body.ts";
import type { Resource } from "../registry/resource.ts";
import type { TablePrinter } from "../registry/table-printer.ts";
import type { WatchFrame } from "../registry/watch-frames.ts";

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
