/**
 * The Go types of all built-in kinds, with their protobuf numbers, and a reader that decodes protobuf into the JSON that Go writes.
 *
 *     kind → typedShape → StructShape
 *     bytes, StructShape → MessageReader → object
 */
/** Minor version of the Kubernetes whose types these are: fields that a newer server has are not known here. */
export const shapesMinor = 36;
export { parseGoFields, parseGoType, zeroOfOwn } from "./shapes/go-type.ts";
export type { GoField, GoType, OwnName, ScalarName } from "./shapes/go-type.ts";
export { StructShape } from "./shapes/shape.ts";
export type { BytesShape, ListShape, MapShape, OwnShape, ScalarShape, Shape, ShapeField } from "./shapes/shape.ts";
export { ShapeBook } from "./shapes/shape-book.ts";
export type { RegisteredKind } from "./shapes/shape-book.ts";
export { metaV1 } from "./shapes/tables/meta-v1.ts";
export type { ShapeTable } from "./shapes/tables/shape-table.ts";
export { typesPackage } from "./shapes/tables/types-package.ts";
export { registeredKind, structShape, typedShape } from "./shapes/typed-shape.ts";
export { MessagePlan } from "./shapes/message-plan.ts";
export { MessageReader } from "./shapes/message-reader.ts";
export { checkFields } from "./shapes/field-check.ts";
export { messageFields } from "./shapes/message-fields.ts";
