/** What the generated tables of Go types consist of: one per Go package. `shape-book.ts` reads them. */

export interface ShapeTable {
  /** How other tables refer to this one: "core/v1". */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  /** What Go calls the package: "v1". */
  readonly goName: string;
  /** The kinds of this group version, lists included, separated by spaces. */
  readonly kinds: string;
  /**
   * By name of the type. A struct is its fields, separated by spaces: the name in JSON, a mark and the type. The mark tells when the field is
   * left out in writing: ":" never, "?" when it is empty, "&" when it is empty or zero. `GoName>Type` is a struct whose fields stand among
   * those of the outer one. `#5` behind it is the number of the field in protobuf where that is not the one after the last; an embedded
   * struct without is not a message of its own, and 0 is for fields that protobuf does not have. Any other type is "=" and what it is made of. Types are written as in Go, with the path of their table where it
   * is another one, and with "@" where they read and write themselves.
   */
  readonly types: Readonly<Record<string, string>>;
}
