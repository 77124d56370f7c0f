/** The Go types of all built-in kinds. */
import type { GroupVersionKind } from "@drover/machinery";
import { ShapeBook } from "./shape-book.ts";
import type { RegisteredKind } from "./shape-book.ts";
import type { StructShape } from "./shape.ts";
import type { ShapeTable } from "./tables/shape-table.ts";
import { shapeTables } from "./tables/shape-tables.ts";

/** It is never the body of a request, so that the generated tables lack it. */
const partialTypes: ShapeTable = {
  path: "partial",
  group: "meta.k8s.io",
  version: "v1",
  goName: "v1",
  kinds: "",
  types: { PartialObjectMetadata: "TypeMeta>meta/v1.TypeMeta metadata?meta/v1.ObjectMeta" },
};

const book: ShapeBook = new ShapeBook([...shapeTables, partialTypes]);

/** Returns the Go type of a kind; undefined when it is not built in. */
export const registeredKind = (kind: GroupVersionKind): RegisteredKind | undefined => book.registered(kind);

/** Returns a struct by the path of its table and its name: "meta/v1.ListMeta". */
export const structShape = (path: string): StructShape => book.struct(path);

/** Returns the shape of a kind, or of a body that is not stored (Scale, Eviction, DeleteOptions …); undefined for others. */
export const typedShape = (kind: GroupVersionKind): StructShape | undefined => book.registered(kind)?.shape;
