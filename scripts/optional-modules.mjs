/** Packages that few users need: programs load them on first use, and their users install them. No bundle contains them. */
const optional = ["@grpc/grpc-js"];

/** Reports whether a bundle must leave this import as it is. */
export const isOptionalModule = (specifier) => optional.includes(specifier);
