/** Informers, indexes, listers, own writes and the cluster that shares them. */
export * from "@drover/cache";
