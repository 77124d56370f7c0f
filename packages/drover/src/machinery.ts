/** Objects, kinds, selectors, quantities, patches, schemas, JSON, API errors and the `Runtime` interface; no I/O. */
export * from "@drover/machinery";
