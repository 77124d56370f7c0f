/**
 * Lasso's client, cache and controller factories under their Go names.
 * packages/lasso/src/index.ts lists them.
 */
export * from "@drover/lasso";
