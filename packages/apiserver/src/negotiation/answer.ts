/** What a verb answers, before it is rendered in the form the client wants. */
import type { JsonObject, ListMeta } from "@drover/machinery";
import type { ListItem, ObjectBody } from "../registry/object-body.ts";
import type { Resource } from "../registry/resource.ts";
import type { TablePrinter } from "../registry/table-printer.ts";
import type { WatchFrame } from "../registry/watch-frames.ts";

export type Answer =
  /** One object of the resource. */
  | { readonly kind: "object"; readonly code: number; readonly resource: Resource; readonly body: ObjectBody }
  | { readonly kind: "list"; readonly resource: Resource; readonly metadata: ListMeta; readonly items: readonly ListItem[] }
  | {
      readonly kind: "watch";
      readonly resource: Resource;
      /** Renders each event as it arrives; can be called once. */
      readonly lines: <T extends string | Uint8Array>(print: (frame: WatchFrame) => T) => AsyncIterable<T>;
    }
  /** A text stream instead of objects: the log of a container. */
  | { readonly kind: "stream"; readonly contentType: string; readonly body: AsyncIterable<string> }
  /** 204: no content. */
  | { readonly kind: "nothing" }
  /** Any other object: a Status, a Scale, a review. `table` prints it as a Table; without, it is never a Table. */
  | { readonly kind: "value"; readonly code: number; readonly value: JsonObject; readonly table?: TablePrinter };
