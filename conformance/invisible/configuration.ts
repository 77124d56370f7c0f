/** What is switched on: nothing must be visible to a program, apart from fields that it did not declare. */

export interface Configuration {
  readonly name: string;
  /** What informers request built-in kinds as. */
  readonly format: "json" | "protobuf";
  /** When informers parse objects. */
  readonly decode: "eager" | "late";
  /** Whether informers declare the fields that the program reads. */
  readonly hasFields: boolean;
  /** Whether the program talks to the server over one HTTP/2 connection instead of function calls. */
  readonly http2: boolean;
  /** Whether a program starts with the snapshot of the one before. */
  readonly hasSnapshots: boolean;
}

/** The plain way: every object is parsed from JSON on arrival, whole, after a list. */
export const baseline: Configuration = {
  name: "nothing",
  format: "json",
  decode: "eager",
  hasFields: false,
  http2: false,
  hasSnapshots: false,
};

export const configurations: readonly Configuration[] = [
  { ...baseline, name: "protobuf", format: "protobuf" },
  { ...baseline, name: "late decoding", decode: "late" },
  { ...baseline, name: "field limits", hasFields: true },
  { ...baseline, name: "HTTP/2", http2: true },
  { ...baseline, name: "snapshots", hasSnapshots: true },
  { name: "all of them", format: "protobuf", decode: "late", hasFields: true, http2: true, hasSnapshots: true },
];
