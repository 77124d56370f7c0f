/** The format of the generated tables of Go types, one per Go package. `shape-book.ts` reads them. */

export interface ShapeTable {
  /** How other tables refer to this one: "core/v1". */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  /** Go's name of the package: "v1". */
  readonly goName: string;
  /** The kinds of this group version, lists included, separated by spaces. */
  readonly kinds: string;
  /**
   * By name of the type. A struct is its fields, separated by spaces: the name in JSON, a mark and the type, written as `go-type.ts` reads
   * them. The mark says when the field is left out in writing: ":" never, "?" when it is empty, "&" when it is empty or zero;
   * `GoName>Type` embeds the fields of a struct among those of the outer one. `#5` is the field's number in protobuf where that is not the
   * one after the last, 0 for a field that protobuf lacks; an embedded struct without a number is not a message of its own. Any other type
   * is "=" and what it is made of. Types of another table carry its path.
   */
  readonly types: Readonly<Record<string, string>>;
}
