/** Lasso's client, cache and controller factories under their Go names. All of them are listed in packages/lasso/src/index.ts. */
export * from "@drover/lasso";
